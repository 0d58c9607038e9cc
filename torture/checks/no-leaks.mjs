import { groupBy } from './group-by.mjs';

/** A pool opens connections when it needs them, which is no leak. */
const FILES = 16;
const THREADS = 4;
/** Before that a worker is still opening what it needs; one that lives no longer than twice as long tells nothing. */
const WARM_MS = 10_000;

/** What workers leave behind, and what one that lived on has gathered. */
export const noLeaks = {
  promise: 'no lease, session, thread or file is leaked',
  check({ leases, sessions, gauges, ended }) {
    const broken = leases.map(({ run, worker }) => `run ${run} is still leased to ${worker}`);
    for (const { name, count } of sessions) broken.push(`${count} sessions of ${name} are left`);
    for (const { worker, code, signal } of ended)
      if (code !== 0) broken.push(`${worker} did not stop as told (${signal ?? `exit code ${code}`})`);
    const seen = groupBy(
      gauges.flatMap(({ at, workers }) => workers.map((worker) => ({ at, ...worker }))),
      ({ name }) => name,
    );
    let longestMs = 0;
    for (const [name, samples] of seen) {
      const last = samples.at(-1);
      const warm = samples.find(({ at }) => at - samples[0].at >= WARM_MS);
      if (warm === undefined || last.at - warm.at < WARM_MS) continue;
      longestMs = Math.max(longestMs, last.at - samples[0].at);
      if (last.files > warm.files + FILES)
        broken.push(`${name}: ${warm.files} open files at first, ${last.files} at the end`);
      if (last.threads > warm.threads + THREADS)
        broken.push(`${name}: ${warm.threads} threads at first, ${last.threads} at the end`);
    }
    return { counted: seen.size, broken, remark: `of the workers, one lived for ${(longestMs / 1_000).toFixed(0)} s` };
  },
};
