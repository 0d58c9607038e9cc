import { readTreeCpuMicros } from '../gauges/read-cpu.mjs';
import { readDeadTuples, readWalBytes } from '../gauges/read-writes.mjs';
import { openWorkers } from '../processes/open-workers.mjs';
import { enqueueBacklog } from './enqueue-backlog.mjs';

/**
 * Drains a backlog: from the moment the waiting workers are released to the moment the last job is settled. Costs are per
 * job; null where they cannot be read.
 */
export async function drain({
  system,
  lab,
  place,
  jobs,
  name,
  count = 1,
  job = 'nothing',
  concurrency,
  isRssKept = false,
}) {
  await enqueueBacklog({ system, place, jobs });
  await lab.settle(place);
  const workers = await openWorkers({ system, url: place.url, count, job, concurrency, isRssKept, name });
  try {
    const isSql = system.server === 'postgres';
    const walBefore = isSql ? await readWalBytes(place.url) : null;
    const deadBefore = isSql ? await readDeadTuples(place.url) : null;
    const serverPid = place.serverPid ?? lab.postgres.pid;
    const cpuBefore = readTreeCpuMicros(serverPid);
    let cpuAfter = cpuBefore;
    const startMs = workers.start();
    // the look that finds nothing left goes through all that was there, which is not to be measured
    const endMs = await workers.drained(jobs, { beforeLook: () => (cpuAfter = readTreeCpuMicros(serverPid)) });
    const walAfter = isSql ? await readWalBytes(place.url) : null;
    const reads = await workers.read();
    await workers.stop();
    const perJob = (before, after) => (before === null || after === null ? null : (after - before) / jobs);
    return {
      jobsPerSecond: (jobs * 1000) / (endMs - startMs),
      serverMicros: perJob(cpuBefore, cpuAfter),
      workerMicros: reads.reduce((sum, read) => sum + read.cpuMicros, 0) / jobs,
      walBytes: perJob(walBefore, walAfter),
      deadTuples: isSql ? perJob(deadBefore, await readDeadTuples(place.url)) : null,
      ...(isRssKept ? { rss: reads[0].rss } : {}),
    };
  } finally {
    await workers.stop();
  }
}
