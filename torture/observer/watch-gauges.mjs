import { readdirSync, readFileSync } from 'node:fs';
import { nowMs } from '../processes/open-history.mjs';
import { openDirect } from '../servers/open-direct.mjs';

const PAGE_BYTES = 4_096;

/** Looks now and then at what must stay bounded: memory, files and threads of each worker, the size of the live table, how many runs wait. */
export function watchGauges({ url, workers, everyMs }) {
  const direct = openDirect(url, 'torture-gauges');
  const samples = [];
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    const sample = {
      at: nowMs(),
      workers: workers.places.map(({ worker }) => readProcess(worker)).filter(({ rssMb }) => rssMb !== null),
    };
    void direct
      .query(
        `
      SELECT (SELECT count(*)::int FROM duework.job_runs) AS live, pg_total_relation_size('duework.job_runs')::float8 / 1e6 AS "liveMb",
        (SELECT sum(pg_total_relation_size(relid))::float8 / 1e6 FROM pg_partition_tree('duework.job_history')) AS "historyMb"`,
      )
      .then(
        ([row]) => samples.push({ ...sample, ...row }),
        () => samples.push(sample),
      )
      .finally(() => (isLooking = false));
  }, everyMs);
  return {
    samples,
    stop() {
      clearInterval(timer);
      void direct.end();
    },
  };
}

/** Null where there is no /proc, or the process has just ended. */
function readProcess({ workerName, pid }) {
  const read = (look) => {
    try {
      return look();
    } catch {
      return null;
    }
  };
  return {
    name: workerName,
    rssMb: read(() =>
      Math.round((Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES) / 1e6),
    ),
    files: read(() => readdirSync(`/proc/${pid}/fd`).length),
    threads: read(() => readdirSync(`/proc/${pid}/task`).length),
  };
}
