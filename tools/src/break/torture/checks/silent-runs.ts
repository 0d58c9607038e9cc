import { LEASE_MS, LONG_LEASE_MS } from '../jobs.js';
import { SILENT_MS } from '../limits.js';
import { ofKind } from '../observer/history-events.js';
import type { Check } from './check.js';
import { heldRuns } from './held-runs.js';

/**
 * A worker that lives and is silent (frozen, or its cable is pulled), or one that was killed behind a pooler: another
 * worker has its runs after their lease.
 */
export const silentRuns: Check = {
  promise: 'the runs of a silent worker go on within its lease and 5 s',
  isFigure: true,
  needs: ['freeze-worker', 'freeze-in-effect', 'kill-pooled-worker'],
  check({ events, changes, jobs }) {
    const typeOf = new Map(jobs.map(({ run, type }) => [run, type]));
    const broken: string[] = [];
    const tookMs: number[] = [];
    let silences = 0;
    for (const { fault, worker = '', isAlone, at, ...facts } of ofKind(events, 'fault.begun')) {
      const silentMs = fault === 'kill-pooled-worker' ? Infinity : facts.silentMs;
      // producers have cables, too
      if (silentMs === undefined || !isAlone || !worker.startsWith('w')) continue;
      silences += 1;
      for (const { run, goneOnAt, backlogMs } of heldRuns(changes, worker, at)) {
        const leaseMs = typeOf.get(run) === 'report' ? LONG_LEASE_MS : LEASE_MS;
        // of the killed workers only those behind a pooler: other faults come before a long lease ends
        if (silentMs === Infinity && leaseMs > LEASE_MS) continue;
        const ms = (goneOnAt ?? Infinity) - at - backlogMs;
        // without a run that has just been settled, or whose worker came back in time
        if (ms < silentMs && ms > leaseMs / 2) tookMs.push(ms);
        const isLate = ms > leaseMs + SILENT_MS && (silentMs === Infinity || ms > silentMs + SILENT_MS);
        if (isLate) broken.push(`run ${run} of ${worker} went on after ${(ms / 1_000).toFixed(1)} s`);
      }
    }
    const latest = `after ${(Math.max(...tookMs) / 1_000).toFixed(1)} s at the latest, with a lease of ${LEASE_MS / 1_000} s`;
    return {
      counted: tookMs.length,
      broken,
      remark: `${silences} silences${tookMs.length === 0 ? '' : `; ${latest}`}`,
    };
  },
};
