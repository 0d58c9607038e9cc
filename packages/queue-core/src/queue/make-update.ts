import type { JobContract } from '@duework/contracts';
import { checkOption, checkRunOptions, readDuration } from '../enqueue/check-run-options.js';
import { encodePayload } from '../enqueue/encode-payload.js';
import { DEFAULT_PAYLOAD_LIMIT_BYTES } from '../enqueue/make-new-run.js';
import { requireInline } from '../objects/require-inline.js';
import { gatesOf } from '../flow/gates-of.js';
import type { RunUpdate } from '../ports/operator.js';
import type { JobChange } from './job-change.js';

const CHANGES = ['payload', 'runAt', 'delay', 'priority', 'maxAttempts'] as const;

/** Makes the update of a change, for any store. Throws `invalid_option`, and for a payload what `enqueue` throws. */
export function makeUpdate<C extends JobContract>(change: JobChange<C>): RunUpdate {
  const { runAt, delay, priority = null, maxAttempts = null } = change;
  checkRunOptions(change);
  const isChanging = CHANGES.some((name) => change[name] !== undefined);
  checkOption('change', Object.keys(change), isChanging, `at least one of ${CHANGES.join(', ')}`);
  checkOption(
    'payload',
    'one alone',
    change.payload === undefined || change.contract !== undefined,
    'given with its contract',
  );
  return {
    payload: change.payload === undefined ? null : encode(change.contract!, change.payload, change.payloadLimitBytes),
    runAt: runAt?.toISOString() ?? null,
    delayMs: delay === undefined ? null : readDuration('delay', delay),
    priority,
    maxAttempts,
  };
}

function encode(
  contract: JobContract,
  payload: unknown,
  limitBytes = DEFAULT_PAYLOAD_LIMIT_BYTES,
): RunUpdate['payload'] {
  const { type, version } = contract;
  const { parsed, json } = encodePayload(contract, payload, limitBytes);
  requireInline({ type, payloadJson: json }, 'The changed payload of a job');
  return { type, version, json, flow: gatesOf(contract, parsed) };
}
