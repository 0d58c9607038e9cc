import { readdirSync, readFileSync } from 'node:fs';
import type { RunningWorker, WorkerPlaces } from '../open-workers.js';
import { nowMs } from '../processes/open-history.js';
import { openDirect } from '../servers/open-direct.js';
import type { Gauge, ProcessGauge } from './evidence.js';

const PAGE_BYTES = 4_096;

export interface WatchedGauges {
  readonly samples: readonly Gauge[];
  stop(): void;
}

/**
 * Measures at intervals what must stay bounded: memory, files and threads of each worker, the size of the live table,
 * and the number of waiting runs.
 */
export function watchGauges(options: {
  readonly url: string;
  readonly workers: WorkerPlaces;
  readonly everyMs: number;
}): WatchedGauges {
  const direct = openDirect(options.url, 'torture-gauges');
  const samples: Gauge[] = [];
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    const workers = options.workers.running().map(readProcess);
    const sample = { at: nowMs(), workers: workers.filter(({ rssMb }) => rssMb !== null) };
    void direct
      .query<Pick<Gauge, 'live' | 'liveMb' | 'historyMb'>>(
        `
      SELECT (SELECT count(*)::int FROM duework.job_runs) AS live, pg_total_relation_size('duework.job_runs')::float8 / 1e6 AS "liveMb",
        (SELECT sum(pg_total_relation_size(relid))::float8 / 1e6 FROM pg_partition_tree('duework.job_history')) AS "historyMb"`,
      )
      .then(
        ([row]) => samples.push({ ...sample, ...row }),
        () => samples.push(sample),
      )
      .finally(() => (isLooking = false));
  }, options.everyMs);
  return {
    samples,
    stop() {
      clearInterval(timer);
      void direct.end();
    },
  };
}

/** Null where there is no /proc, or the process has just ended. */
function readProcess({ name, process: { pid } }: RunningWorker): ProcessGauge {
  const read = (look: () => number): number | null => {
    try {
      return look();
    } catch {
      return null;
    }
  };
  const readPages = (): number => Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
  return {
    name,
    rssMb: read(() => Math.round((readPages() * PAGE_BYTES) / 1e6)),
    files: read(() => readdirSync(`/proc/${pid}/fd`).length),
    threads: read(() => readdirSync(`/proc/${pid}/task`).length),
  };
}
