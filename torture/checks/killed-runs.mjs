import { KILLED_MS } from '../limits.mjs';
import { heldRuns } from './held-runs.mjs';

/** Faults that can only delay the rescue: what happens beside them is not measured. */
const isDisturbed = (begun, events) => events.some(({ kind, id, at, fault }) => kind === 'fault.begun' && id !== begun.id && ['restart-database', 'fill-disk', 'lock-tables', 'end-backends', 'kill-worker', 'stop-worker'].includes(fault) && Math.abs(at - begun.at) < KILLED_MS);

/** Long before their leases end. Behind a pooler in transaction mode only the lease tells, which is 30 s for the longest of them. */
export const killedRuns = {
  promise: 'the runs of a worker killed with kill -9 start again within 5 s',
  check({ events, changes }) {
    const kills = events.filter(({ kind, fault, isPooled, isReached }) => kind === 'fault.begun' && (fault === 'kill-worker' || (fault === 'die-at-point' && isReached)) && !isPooled);
    const broken = [];
    const tookMs = [];
    for (const kill of kills) {
      const ended = events.find(({ kind, worker }) => kind === 'worker.ended' && worker === kill.worker);
      if (ended === undefined || !kill.isAlone || isDisturbed(kill, events)) continue;
      for (const { run, goneOnAt, backlogMs } of heldRuns(changes, kill.worker, ended.at)) {
        const ms = (goneOnAt ?? Infinity) - ended.at - backlogMs;
        tookMs.push(ms);
        if (ms > KILLED_MS) broken.push(`run ${run} of ${kill.worker} went on after ${(ms / 1_000).toFixed(1)} s`);
      }
    }
    return { counted: tookMs.length, broken, remark: tookMs.length === 0 ? '' : `after ${(Math.max(...tookMs) / 1_000).toFixed(1)} s at the latest`, figures: { latestMs: Math.max(0, ...tookMs) } };
  },
};
