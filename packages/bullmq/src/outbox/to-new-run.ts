import { readPayload, type JobContract } from '@duework/contracts';
import { makeNewRun, shortenKey } from '@duework/queue-core/internals';
import { fromTerms, type NewRun, type RunFlow } from '@duework/queue-core/ports';
import type { Noted } from '@duework/shards';
import { hasStarted, type BullmqRun } from '../jobs/decode-job.js';
import { toKeyId } from '../jobs/encode-job.js';
import { FIELD } from '../jobs/fields.js';
import { isOwn, readWhole } from '../jobs/read-fields.js';
import type { Queues } from '../redis/queues.js';

/** What a table takes. */
const MAX_ATTEMPTS = 1_000;
const LAST_PRIORITY = 9;

/**
 * The run as it would be enqueued in a table: with the attempts that it has left, and its key, as long as that holds. One that
 * another program has added is as its contract says, if that can read it.
 */
export async function toNewRun(queues: Queues, contract: JobContract, run: BullmqRun): Promise<NewRun> {
  const here = run.type === contract.type ? [contract.queue, ...contract.queues] : [run.queue];
  const plain = { ...(await toPlainRun(queues, run)), queue: here.includes(run.queue) ? run.queue : here[0]! };
  if (isOwn(run.raw.opts)) return plain;
  // which it was there
  const metaJson = JSON.stringify({ movedFrom: 'bullmq', movedJob: `${run.type}/${run.id}` });
  const key = chosenKey(run);
  const made = run.type === contract.type ? makeAnew(contract, run, key) : null;
  if (made === null) return { ...plain, key, metaJson };
  const { payloadJson, version, flow, keyWindowMs } = made;
  // it was enqueued long ago: it replaces, cancels and refuses nothing, and is not refused, because it is out of its queue
  const unique = made.unique && ({ ...made.unique, onConflict: 'keep' } as const);
  return { ...plain, payloadJson, version, unique, flow, keyWindowMs, key: made.key, metaJson };
}

/** How many attempts it has behind it, whoever has charged them. */
const attemptsOf = ({ attempts, raw }: BullmqRun): number => Math.max(attempts, readWhole(raw.atm, 0, 0));

/**
 * A run that has failed for good, with its errors; what is needed to make it the job again that it was is in its meta. One of
 * ours goes there as it is.
 */
export function toDead(run: NewRun, was: BullmqRun): Required<Pick<Noted, 'run' | 'death'>> {
  const { createdAtMs, finishedAtMs, history, raw } = was;
  const { data: _, ...row } = raw;
  const kept = Object.entries(row).filter(([field]) => !field.startsWith('dw:') && field !== 'returnvalue');
  const iso = (ms: number): string => new Date(ms).toISOString();
  const error = raw[FIELD.error] || raw.failedReason || 'It failed.';
  const stacks = history.filter((text) => !text.startsWith('{'));
  const attempts = Math.max(1, attemptsOf(was));
  return {
    run: {
      ...run,
      // all of them, and not those that are left
      maxAttempts: Math.min(Math.max(1, was.maxAttempts), MAX_ATTEMPTS),
      ...(isOwn(raw.opts)
        ? {}
        : { metaJson: withRow(run.metaJson, { queue: was.queue, hash: Object.fromEntries(kept) }) }),
    },
    death: {
      attempts,
      createdAt: iso(createdAtMs),
      failedAt: iso(finishedAtMs ?? createdAtMs),
      errorType: raw[FIELD.errorType] || errorTypeOf(stacks.at(-1)),
      error,
      stacks: stacks.slice(-attempts),
    },
  };
}

const withRow = (metaJson: string | null, row: object): string =>
  JSON.stringify({ ...(JSON.parse(metaJson ?? '{}') as object), movedRow: JSON.stringify(row) });

/** As stacks begin: `TypeError: it was none`. */
const errorTypeOf = (stack = ''): string | null => /^([A-Za-z_$][\w$]*): /.exec(stack)?.[1] ?? null;

/** null: its contract cannot read it, and whoever runs it will say why. */
function makeAnew(contract: JobContract, run: BullmqRun, key: string | null): NewRun | null {
  try {
    const reading = readPayload(contract, run.version, JSON.parse(run.payloadJson));
    if (!reading.success) return null;
    const options = { payloadLimitBytes: Infinity, ...(contract.keyOf === null && { idempotencyKey: key }) };
    return makeNewRun({ contract, payload: reading.data, options });
  } catch {
    return null;
  }
}

/** The id of a job whose program chose it, by which it tells the next one; null: BullMQ has numbered it. */
const chosenKey = ({ id }: BullmqRun): string | null => (/^\d+$/.test(id) ? null : shortenKey(id));

async function toPlainRun(queues: Queues, run: BullmqRun): Promise<NewRun> {
  const { type, version, queue, priority, maxAttempts, runAtMs, payloadJson, metaJson } = run;
  const { key, windowMs } = await readKey(queues, run);
  return {
    type,
    version,
    queue,
    priority: Math.min(priority, LAST_PRIORITY),
    maxAttempts: Math.min(Math.max(1, maxAttempts - attemptsOf(run)), MAX_ATTEMPTS),
    runAt: new Date(runAtMs).toISOString(),
    delayMs: 0,
    key,
    unique: null,
    keyWindowMs: windowMs,
    payloadJson,
    metaJson,
    flow: flowOf(run),
  };
}

/** More than that is no window, but as long as the job is kept. */
const LONGEST_WINDOW_MS = 5 * 365 * 86_400_000;

async function readKey(
  queues: Queues,
  { queue, id, type, key }: BullmqRun,
): Promise<{ key: string | null; windowMs: number | null }> {
  if (key === null) return { key, windowMs: null };
  const place = queues.of(queue).toKey(`de:${toKeyId(type, key)}`);
  const [holder, leftMs] = await Promise.all([queues.redis.get(place), queues.redis.pttl(place)]);
  // its window is over, and perhaps another job's has begun
  if (holder !== id) return { key: null, windowMs: null };
  return { key, windowMs: leftMs <= 0 || leftMs > LONGEST_WINDOW_MS ? null : leftMs };
}

/** What was agreed for it, from the moment at which it is due. */
const flowOf = (run: BullmqRun): RunFlow | null =>
  run.terms === null ? null : { terms: fromTerms(run.terms, run.runAtMs, hasStarted(run)) };
