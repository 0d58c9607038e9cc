import type { Evidence } from '../observer/evidence.js';
import { ofKind } from '../observer/history-events.js';
import type { Check } from './check.js';
import { SETTLED } from './claim-checks.js';
import { groupBy } from './group-by.js';

/** The other checks judge all workers together; this one says that each way to the database took part. */
export const everyClient: Check = {
  promise: 'runs are settled through every client that was asked for, behind PgBouncer as well',
  check({ events, clients, isPooled }) {
    const spawned = new Map(ofKind(events, 'worker.spawned').map((event) => [event.worker, event]));
    const settledBy = new Map<string, number>([...clients.map((client) => [client, 0] as const)]);
    if (isPooled) settledBy.set('PgBouncer', 0);
    const count = (way: string): unknown => settledBy.set(way, (settledBy.get(way) ?? 0) + 1);
    const settled = ofKind(events, ...SETTLED);
    for (const { worker } of settled) {
      const about = spawned.get(worker);
      if (about === undefined) continue;
      count(about.client);
      if (about.isPooled) count('PgBouncer');
    }
    const workersOf = (client: string): number => [...spawned.values()].filter((one) => one.client === client).length;
    const ways = clients.map((client) => `${client}: ${workersOf(client)} workers, ${settledBy.get(client)} runs`);
    return {
      counted: settled.length,
      broken: [...settledBy].filter(([, runs]) => runs === 0).map(([way]) => `nothing was settled through ${way}`),
      remark: [...ways, isPooled ? `PgBouncer: ${settledBy.get('PgBouncer')} runs` : 'none behind PgBouncer'].join(
        '; ',
      ),
    };
  },
};

/** No process ends that was not told to stop. */
export const nobodyExits: Check = {
  promise: 'no process exits by itself, whatever happens to the database',
  check({ events }) {
    const failedStarts = new Set(ofKind(events, 'start.failed').map(({ by }) => by));
    const ends = ofKind(events, 'worker.ended').filter(({ isTold, worker }) => !isTold && !failedStarts.has(worker));
    const falls = ofKind(events, 'person.fell');
    const fallen = [
      ...ends.map((end) => ({ name: end.worker, ...end })),
      ...falls.map((fall) => ({ name: fall.person, ...fall })),
    ];
    return {
      counted: ofKind(events, 'worker.spawned', 'person.begun').length,
      broken: fallen.map(
        ({ name, code, signal, said }) => `${name} ended (${signal ?? `exit code ${code}`}): ${said.join(' | ')}`,
      ),
      remark: failedStarts.size > 0 ? `${failedStarts.size} could not start while the database was away` : '',
    };
  },
};

/** A warning of Node or of a library says that something is used as it is not meant to be. */
export const nobodyWarns: Check = {
  promise: 'no process prints a warning',
  check: ({ events, warnings }) => ({
    counted: ofKind(events, 'worker.spawned', 'person.begun').length,
    broken: warnings.map(({ by, line }) => `${by} warned: ${line}`),
  }),
};

/** The limit is 1,000 ms on the worker's clock; a line may be written a moment later or earlier. */
const LEAST_MS = 990;

/** Each worker reports a cause that goes on failing at most once a second. */
export const quietFailures: Check = {
  promise: 'a failing cause logs at most one line a second',
  // under these faults statements certainly fail for longer than that
  needs: ['restart-database', 'fill-disk', 'lock-tables'],
  check({ events }) {
    const failures = ofKind(events, 'database.failed');
    const broken: string[] = [];
    for (const [cause, list] of groupBy(failures, ({ by, during }) => `${by}, ${during}`)) {
      let lastAt = -Infinity;
      for (const { at } of list) {
        if (at - lastAt < LEAST_MS) broken.push(`${cause}: twice within ${Math.round(at - lastAt)} ms`);
        lastAt = at;
      }
    }
    return { counted: failures.length, broken };
  },
};

/** A pool opens connections when it needs them, which is no leak. */
const FILES = 16;
const THREADS = 4;
/** The time in which a worker opens what it needs; one that lives no longer than twice as long shows no leak. */
const WARM_MS = 10_000;

/** What ended workers leave behind, and what a living one has accumulated. */
export const noLeaks: Check = {
  promise: 'no lease, session, thread or file is leaked',
  check({ leases, sessions, gauges, ended }) {
    const broken = leases.map(({ run, worker }) => `run ${run} is still leased to ${worker}`);
    for (const { name, count } of sessions) broken.push(`${count} sessions of ${name} are left`);
    for (const { worker, code, signal } of ended)
      if (code !== 0) broken.push(`${worker} did not stop as told (${signal ?? `exit code ${code}`})`);
    const grown = findGrowth(gauges);
    return {
      counted: ended.length + grown.judged,
      broken: [...broken, ...grown.broken],
      remark: `${ended.length} workers stopped; ${grown.judged} were watched for growth, one of them for ${(grown.longestMs / 1_000).toFixed(0)} s`,
    };
  },
};

/**
 * Files and threads of each worker that lived long enough: the most in the first half of its life, in which its pool may
 * still open connections, and what is left at the end.
 */
function findGrowth(gauges: Evidence['gauges']): { judged: number; longestMs: number; broken: string[] } {
  const broken: string[] = [];
  let judged = 0;
  let longestMs = 0;
  const seen = groupBy(
    gauges.flatMap(({ at, workers }) => workers.map((worker) => ({ at, ...worker }))),
    ({ name }) => name,
  );
  for (const [name, samples] of seen) {
    const [first, last] = [samples[0], samples.at(-1)];
    if (first === undefined || last === undefined || last.at - first.at < 2 * WARM_MS) continue;
    const early = samples.filter(({ at }) => at <= (first.at + last.at) / 2);
    judged += 1;
    longestMs = Math.max(longestMs, last.at - first.at);
    for (const [what, before, after, more] of [
      ['open files', most(early.map(({ files }) => files)), last.files, FILES],
      ['threads', most(early.map(({ threads }) => threads)), last.threads, THREADS],
    ] as const) {
      if (before !== null && after !== null && after > before + more)
        broken.push(`${name}: ${before} ${what} at first, ${after} at the end`);
    }
  }
  return { judged, longestMs, broken };
}

/** null: nobody could count them. */
function most(counts: readonly (number | null)[]): number | null {
  const known = counts.filter((count) => count !== null);
  return known.length === 0 ? null : Math.max(...known);
}
