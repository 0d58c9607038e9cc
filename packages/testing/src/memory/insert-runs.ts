import { isDeepStrictEqual } from 'node:util';
import { toTerms, type EnqueuedJob, type NewRun } from '@duework/queue-core/ports';
import { toId } from './tables/memory-id.js';
import { FREE, type MemoryRun } from './tables/memory-run.js';
import { changeHolder, endHolder, judgeUnique, refuse } from './insert-unique.js';
import { keyOf, type MemoryTables } from './tables/memory-tables.js';

/**
 * How many of these runs would be new: not those whose key is taken, by another run or by one before them in the batch.
 */
export function countNewRuns(tables: MemoryTables, runs: readonly NewRun[]): number {
  const taken = new Set<string>();
  let count = 0;
  const nowMs = tables.nowMs();
  for (const run of runs) {
    const { type, key } = run;
    if (run.unique !== null) {
      if (judgeUnique(tables, run, dueMsOf(run, nowMs), nowMs).kind === 'write') count++;
      continue;
    }
    if (key !== null && (taken.has(keyOf(type, key)) || holderOf(tables, type, key) !== undefined)) continue;
    if (key !== null) taken.add(keyOf(type, key));
    count++;
  }
  return count;
}

/** Inserts runs and takes their keys; where a key is taken, returns the run that has it. */
export function insertRuns(tables: MemoryTables, runs: readonly NewRun[]): EnqueuedJob[] {
  const nowMs = tables.nowMs();
  refuseUnique(tables, runs, nowMs);
  return runs.map((run) => {
    if (run.unique !== null) return insertUnique(tables, run, nowMs);
    const holder = run.key === null ? undefined : holderOf(tables, run.type, run.key);
    if (holder !== undefined) return toEnqueuedJob(holder, true, differs(holder, run));
    return toEnqueuedJob(insertRun(tables, run, nowMs), false);
  });
}

/** Before anything is written, because a batch is written as a whole or not at all. */
function refuseUnique(tables: MemoryTables, runs: readonly NewRun[], nowMs: number): void {
  const taken = new Set<string>();
  for (const run of runs) {
    if (run.unique?.onConflict !== 'refuse') continue;
    const verdict = judgeUnique(tables, run, dueMsOf(run, nowMs), nowMs);
    if (verdict.kind === 'refuse') refuse(verdict.run);
    // the one before it in the batch, which is not written either
    if (taken.has(keyOf(run.type, run.key!))) refuse({ id: '0', type: run.type, status: 'queued' });
    taken.add(keyOf(run.type, run.key!));
  }
}

function insertUnique(tables: MemoryTables, given: NewRun, nowMs: number): EnqueuedJob {
  const verdict = judgeUnique(tables, given, dueMsOf(given, nowMs), nowMs);
  if (verdict.kind === 'refuse') return refuse(verdict.run);
  if (verdict.kind === 'change') {
    changeHolder(tables, verdict, given);
    return toEnqueuedJob(verdict.run, true, differs(verdict.run, given));
  }
  if (verdict.instead !== null) endHolder(tables, verdict.instead);
  const run = insertRun(tables, given, nowMs, verdict.dueMs);
  tables.keys.set(keyOf(given.type, given.key!), { runId: run.id, createdAtMs: nowMs, expiresAtMs: verdict.endsMs });
  return toEnqueuedJob(run, false);
}

const dueMsOf = ({ runAt, delayMs }: NewRun, nowMs: number): number =>
  runAt === null ? nowMs + delayMs : Date.parse(runAt);

function insertRun(tables: MemoryTables, given: NewRun, nowMs: number, dueMs: number | null = null): MemoryRun {
  const { type, version, queue, priority, maxAttempts, payloadJson, metaJson, keyWindowMs, flow } = given;
  const key = given.unique === null ? given.key : null;
  const runAtMs = dueMs ?? dueMsOf(given, nowMs);
  const number = tables.nextNumber();
  const id = toId(number);
  const run: MemoryRun = {
    ...FREE,
    id,
    number,
    type,
    version,
    queue,
    priority,
    maxAttempts,
    payloadJson,
    metaJson,
    key,
    gates: flow?.gates ?? null,
    gateUnits: flow?.units ?? null,
    heldKey: given.key,
    terms: toTerms(given.flow?.terms ?? null, runAtMs),
    place: -1,
    status: 'queued',
    heldBy: null,
    createdAtMs: nowMs,
    runAtMs,
    attempts: 0,
    fence: 0,
    claimedAtMs: null,
    failedAtMs: null,
    errorCode: null,
    errorType: null,
    lastError: null,
    progressJson: null,
    resultJson: null,
    finishedAtMs: null,
    snoozes: 0,
    snoozedAtMs: null,
    releases: 0,
    acknowledgedAtMs: null,
    isCompletedIn: false,
    wokenFence: 0,
    suspendedFence: 0,
  };
  if (key !== null)
    tables.keys.set(keyOf(type, key), {
      runId: id,
      createdAtMs: nowMs,
      expiresAtMs: keyWindowMs === null ? null : nowMs + keyWindowMs,
    });
  tables.batches.added(run);
  tables.wait(run, 'queued', run.runAtMs, run.gates?.[0] ?? null);
  return run;
}

/** The run that has the key, while its window lasts. */
function holderOf(tables: MemoryTables, type: string, key: string): MemoryRun | undefined {
  const known = tables.keys.get(keyOf(type, key));
  if (known === undefined || (known.expiresAtMs !== null && known.expiresAtMs <= tables.nowMs())) return undefined;
  return tables.find(known.runId);
}

function toEnqueuedJob(
  { id, type, status, runAtMs }: MemoryRun,
  isDeduplicated: boolean,
  payloadDiffers = false,
): EnqueuedJob {
  return { id, type, status, runAt: new Date(runAtMs), isDeduplicated, payloadDiffers };
}

/** As PostgreSQL does, whatever the order of the fields; payloads of different versions are not compared. */
function differs(holder: MemoryRun, { version, payloadJson }: NewRun): boolean {
  return holder.version === version && !isDeepStrictEqual(JSON.parse(holder.payloadJson), JSON.parse(payloadJson));
}
