import { toStorableText } from '@duework/sql/errors';
import type { OwnedRun } from '../claim/owned-run.js';
import { makeCleaner } from '../secrets/make-cleaner.js';
import type { Settlement } from '../ports/runs.js';

const MAX_LOGS = 8_000;

/** What an attempt has logged, cleaned as its error is; null: nothing, or its contract keeps no texts. */
function textOf({ log, contract, run }: OwnedRun): string | null {
  const text = log?.text() ?? null;
  return text === null || contract.errors.text === 'left_out'
    ? null
    : toStorableText(makeCleaner(contract, run)(text), MAX_LOGS);
}

/** What is kept of an attempt that succeeds: only where its contract says so. undefined: nothing, not even that it was. */
export function logsOf(owned: OwnedRun): string | null | undefined {
  const logs = owned.contract.keepLogs ? textOf(owned) : null;
  return logs ?? (owned.contract.keepAttempts === 'all' ? null : undefined);
}

/** What an attempt has logged is kept with its error, or with its success. */
export function withLogs(owned: OwnedRun, decided: Settlement): Settlement {
  if (decided.kind === 'complete') {
    const logs = logsOf(owned);
    return logs === undefined ? decided : { ...decided, logs };
  }
  if (decided.kind !== 'fail' && decided.kind !== 'bury') return decided;
  const logs = textOf(owned);
  return logs === null ? decided : { ...decided, error: { ...decided.error, logs } };
}
