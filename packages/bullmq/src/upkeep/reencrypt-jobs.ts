import { setTimeout as wait } from 'node:timers/promises';
import type { Catalog } from '@duework/contracts';
import type { KeyRing } from '@duework/queue-core';
import { resealJson } from '@duework/queue-core/internals';
import type { BullmqRun } from '../jobs/decode-job.js';
import { FIELD } from '../jobs/fields.js';
import { type PlacedId, readJobId, toJobId } from '../jobs/job-id.js';
import { type ListedPlace, readPlaces } from '../operate/read-places.js';
import { type BullmqConnection, Queues } from '../redis/queues.js';
import { readRun } from '../redis/read-runs.js';

export interface ReencryptJobsOptions {
  /** With it, sensitive values in plain text are encrypted as well. */
  readonly catalog?: Catalog;
  /** Called after each hundred jobs. */
  readonly onProgress?: (progress: { readonly checked: number; readonly rewritten: number }) => void;
  /** Ends it before its next jobs, with the reason of the signal; it can begin again at any time. */
  readonly signal?: AbortSignal;
}

export interface JobReencryption {
  /** Jobs that have not succeeded. */
  readonly checked: number;
  readonly rewritten: number;
  /** Jobs that changed at each look; call again for these. */
  readonly passed: number;
  /** The ids of jobs that need an old key and run: they are left to their end. */
  readonly running: readonly string[];
  /** Jobs by the id of the key that the ring does not have, or that has other bytes there. */
  readonly missing: Readonly<Record<string, number>>;
}

const TRIES = 20;
const HELD_MS = 10;

/**
 * Encrypts again what jobs of a dedicated queue have encrypted with an old key, unless they have succeeded: each job
 * alone, if it is unchanged and not held, beside workers and producers. Once it returns nothing rewritten, passed,
 * running or missing, this queue no longer needs the old keys.
 */
export async function reencryptJobs(
  place: BullmqConnection,
  ring: KeyRing,
  { catalog = [], onProgress, signal }: ReencryptJobsOptions = {},
): Promise<JobReencryption> {
  const queues = new Queues(place);
  const contractOf = new Map(catalog.map((contract) => [contract.type, contract]));
  const reseal = ({ payloadJson, type, version }: BullmqRun) =>
    resealJson(
      ring,
      payloadJson,
      (root) => [{ holder: root as { value: unknown }, key: 'value', type, version }],
      (name) => contractOf.get(name),
    );
  const total = { checked: 0, rewritten: 0, passed: 0, running: [] as string[], missing: {} as Record<string, number> };
  const look = async (id: PlacedId): Promise<void> => {
    for (let tries = 0; tries < TRIES; tries++) {
      const run = await readRun(queues, id);
      if (run === null || (run.status === 'succeeded' && !isOnItsWay(run))) return;
      const { before, json, isChanged, missing } = reseal(run);
      const isDone = !isChanged || run.status === 'running' || (await replace(queues, run, before, json));
      if (!isDone) {
        // a claim that only looks at it lets it go at once
        await wait(HELD_MS);
        continue;
      }
      total.checked++;
      for (const keyId of missing) total.missing[keyId] = (total.missing[keyId] ?? 0) + 1;
      if (isChanged && run.status === 'running') total.running.push(toJobId(run));
      else if (isChanged) total.rewritten++;
      return;
    }
    total.checked++;
    total.passed++;
  };
  let last: ListedPlace | null = null;
  for (;;) {
    signal?.throwIfAborted();
    const places: readonly ListedPlace[] = await readPlaces(queues, last);
    if (places.length === 0) return total;
    await Promise.all(places.map(({ id }) => look(readJobId(id)!)));
    onProgress?.({ checked: total.checked, rewritten: total.rewritten });
    last = places.at(-1)!;
  }
}

/** Taken out of its queue and not in the table yet: its payload will be. */
const isOnItsWay = ({ raw }: BullmqRun): boolean => raw[FIELD.moved] !== undefined && raw[FIELD.movedTo] === undefined;

/** Whether it was what had been read, and nobody held it. */
async function replace(queues: Queues, run: BullmqRun, before: string, json: string): Promise<boolean> {
  return (await queues.redis.dueworkReplace(queues.jobKey(run), queues.lockKey(run), before, json)) === 1;
}
