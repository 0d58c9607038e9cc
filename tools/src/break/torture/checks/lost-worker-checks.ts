import { LEASE_MS, LONG_LEASE_MS } from '../jobs.js';
import { CAREFUL_MS, KILLED_MS, SILENT_MS } from '../limits.js';
import type { Evidence } from '../observer/evidence.js';
import { type EventOf, ofKind } from '../observer/history-events.js';
import type { Check } from './check.js';
import { heldRuns } from './held-runs.js';

/** Faults that kill a worker without warning. */
const KILLS: readonly string[] = ['kill-worker', 'kill-in-effect', 'die-at-point'];

/**
 * Runs of a killed worker start again long before their leases end. One worker is enough to see the death: it was there
 * at the time, and its own checks of the locks had not failed lately; after a failed one it waits longer, as it
 * promises. Behind a pooler in transaction mode only the lease shows the death: see silent-runs.ts.
 */
export const killedRuns: Check = {
  promise: 'the runs of a worker killed with kill -9 start again within 5 s',
  isFigure: true,
  needs: ['kill-worker'],
  check({ events, changes }) {
    const kills = ofKind(events, 'fault.begun').filter(
      ({ fault, isPooled, hasHappened = true }) => KILLS.includes(fault) && hasHappened && isPooled === false,
    );
    const ends = ofKind(events, 'worker.ended');
    const broken: string[] = [];
    const tookMs: number[] = [];
    const unjudged = { accompanied: 0, unseen: 0 };
    for (const kill of kills) {
      const ended = ends.find(({ worker }) => worker === kill.worker);
      if (!kill.isAlone) unjudged.accompanied++;
      else if (ended === undefined || !isSeenSoon(ended, events)) unjudged.unseen++;
      if (ended === undefined || !kill.isAlone || !isSeenSoon(ended, events)) continue;
      for (const { run, goneOnAt, backlogMs } of heldRuns(changes, ended.worker, ended.at)) {
        const ms = (goneOnAt ?? Infinity) - ended.at - backlogMs;
        tookMs.push(ms);
        if (ms > KILLED_MS) broken.push(`run ${run} of ${kill.worker} went on after ${(ms / 1_000).toFixed(1)} s`);
      }
    }
    const judged = kills.length - unjudged.accompanied - unjudged.unseen;
    const latest = tookMs.length === 0 ? '' : `; after ${(Math.max(...tookMs) / 1_000).toFixed(1)} s at the latest`;
    return {
      counted: tookMs.length,
      broken,
      remark: `${judged} of ${kills.length} kills (${unjudged.accompanied} came with another fault, ${unjudged.unseen} while everybody was careful)${latest}`,
    };
  },
};

/**
 * Whether a worker had to see the death: it worked before and after it, and none of its checks of the locks had failed.
 */
function isSeenSoon({ worker, at }: EventOf<'worker.ended'>, events: Evidence['events']): boolean {
  const ends = ofKind(events, 'worker.ended');
  const failures = ofKind(events, 'database.failed').filter(({ during }) => during === 'rescue');
  return ofKind(events, 'started').some(({ by, at: startedAt }) => {
    if (by === worker || startedAt > at) return false;
    if (ends.some((end) => end.worker === by && end.at < at + KILLED_MS)) return false;
    return !failures.some(
      (failure) => failure.by === by && failure.at > at - CAREFUL_MS && failure.at < at + KILLED_MS,
    );
  });
}

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
