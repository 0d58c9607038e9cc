import type { Evidence } from '../observer/evidence.js';
import type { Check } from './check.js';
import { groupBy } from './group-by.js';

/** A pool opens connections when it needs them, which is no leak. */
const FILES = 16;
const THREADS = 4;
/** The time in which a worker opens what it needs; one that lives no longer than twice as long shows no leak. */
const WARM_MS = 10_000;

/** What ended workers leave behind, and what a living one has accumulated. */
export const noLeaks: Check = {
  promise: 'no lease, session, thread or file is leaked',
  needs: 'any run',
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
