import { LEASE_MS, LONG_LEASE_MS } from '../jobs.mjs';
import { SILENT_MS } from '../limits.mjs';
import { heldRuns } from './held-runs.mjs';

/** A worker that is there and says nothing: frozen, or its cable is pulled. Its runs are somebody else's after their lease. */
export const silentRuns = {
  promise: 'the runs of a silent worker go on within its lease and 5 s',
  isFigure: true,
  check({ events, changes, jobs }) {
    const typeOf = new Map(jobs.map(({ run, type }) => [run, type]));
    const silences = events.filter(
      ({ kind, silentMs, isAlone, worker }) =>
        kind === 'fault.begun' && silentMs !== undefined && isAlone && worker.startsWith('w'),
    );
    const broken = [];
    const tookMs = [];
    for (const silence of silences) {
      for (const { run, goneOnAt, backlogMs } of heldRuns(changes, silence.worker, silence.at)) {
        const leaseMs = typeOf.get(run) === 'report' ? LONG_LEASE_MS : LEASE_MS;
        // one that has just been settled, and one whose worker came back in time
        const ms = (goneOnAt ?? Infinity) - silence.at - backlogMs;
        if (ms < silence.silentMs && ms > leaseMs / 2) tookMs.push(ms);
        if (ms > leaseMs + SILENT_MS && ms > silence.silentMs + SILENT_MS)
          broken.push(`run ${run} of ${silence.worker} went on after ${(ms / 1_000).toFixed(1)} s`);
      }
    }
    return {
      counted: tookMs.length,
      broken,
      remark:
        tookMs.length === 0
          ? ''
          : `after ${(Math.max(...tookMs) / 1_000).toFixed(1)} s at the latest, with a lease of ${LEASE_MS / 1_000} s`,
    };
  },
};
