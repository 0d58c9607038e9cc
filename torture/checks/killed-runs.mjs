import { KILLED_MS } from '../limits.mjs';
import { heldRuns } from './held-runs.mjs';

/** So long after the database was away, whoever looks is more careful; see "When a worker dies" in docs/guarantees.md. */
const CAREFUL_MS = 30_000;

/** Whether somebody's look at the locks failed lately, or fails now. */
const isDisturbed = ({ at }, events) =>
  events.some(
    (event) =>
      event.kind === 'database.failed' &&
      event.during === 'rescue' &&
      event.at > at - CAREFUL_MS &&
      event.at < at + KILLED_MS,
  );

/** Long before their leases end. Behind a pooler in transaction mode only the lease tells, which is 30 s for the longest of them. */
export const killedRuns = {
  promise: 'the runs of a worker killed with kill -9 start again within 5 s',
  isFigure: true,
  check({ events, changes }) {
    const kills = events.filter(
      ({ kind, fault, isPooled, isReached }) =>
        kind === 'fault.begun' && (fault === 'kill-worker' || (fault === 'die-at-point' && isReached)) && !isPooled,
    );
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
    return {
      counted: tookMs.length,
      broken,
      remark: tookMs.length === 0 ? '' : `after ${(Math.max(...tookMs) / 1_000).toFixed(1)} s at the latest`,
      figures: { latestMs: Math.max(0, ...tookMs) },
    };
  },
};
