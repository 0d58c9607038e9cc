import type { JobContract } from '@duework/contracts';
import { makeNewRun, shortenKey } from '@duework/queue-core/internals';
import type { NewRun } from '@duework/queue-core/ports';
import type { OldJob } from './old-system.js';

const MAX_ATTEMPTS = 1_000;
const LAST_PRIORITY = 9;
/** A key of theirs holds until its job has ended. */
const ALIVE: NonNullable<NewRun['unique']> = { while: 'alive', perMs: null, onConflict: 'keep', maxDelayMs: null };

/** What a job here remembers of the one that it was. */
export interface Origin {
  readonly movedFrom: string;
  /** Its name and id there. */
  readonly movedJob: string;
  /** Its row there, and what of its data the contract does not store, for the way back. */
  readonly movedRow?: string;
}

/**
 * The run that a job of another system becomes: as its contract would enqueue it, with its own moment, priority, attempts, and
 * key, unless its contract makes one. A second one of a key never replaces, cancels or refuses: it stays where it is. Throws
 * what `enqueue` throws.
 */
export function toNewRun(system: string, contract: JobContract, job: OldJob): NewRun {
  const given = job.data ?? contract.defaultPayload ?? {};
  const hasOwnKey = contract.keyOf !== null;
  const run = makeNewRun({
    contract,
    payload: given,
    options: {
      payloadLimitBytes: Infinity,
      priority: clamp(contract.priority - job.ahead, 0, LAST_PRIORITY),
      maxAttempts: clamp(job.maxAttempts, 1, MAX_ATTEMPTS),
      ...(hasOwnKey ? {} : { idempotencyKey: job.key === null ? null : shortenKey(job.key) }),
    },
  });
  const origin: Origin = {
    movedFrom: system,
    movedJob: `${job.name}/${job.id}`,
    ...(job.row === null ? {} : { movedRow: JSON.stringify({ ...job.row, lost: lostOf(contract, given, run) }) }),
  };
  const rule = run.unique ?? (hasOwnKey || run.key === null ? null : ALIVE);
  return {
    ...run,
    runAt: job.runAt,
    unique: rule === null ? null : { ...rule, onConflict: 'keep' },
    metaJson: JSON.stringify(origin),
  };
}

/** The fields of the data that are not stored, or not as they were; undefined: there are none. */
function lostOf(contract: JobContract, given: unknown, { payloadJson }: NewRun): object | undefined {
  const stored = JSON.parse(payloadJson) as unknown;
  if (!isObject(given) || !isObject(stored)) return undefined;
  // what is sensitive is kept encrypted, and nowhere else
  const isSecret = contract.sensitiveEver.length > 0;
  const lost = Object.entries(given).filter(([field, value]) =>
    field in stored ? !isSecret && JSON.stringify(value) !== JSON.stringify(stored[field]) : true,
  );
  return lost.length === 0 ? undefined : Object.fromEntries(lost);
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);
