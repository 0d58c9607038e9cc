import type { Change } from '../observer/evidence.js';
import { ofKind } from '../observer/history-events.js';
import type { Check } from './check.js';
import { groupBy } from './group-by.js';

/**
 * Outside the system: no mail twice; a webhook twice only if it said so. In the database: one payment for each run that
 * succeeded.
 */
export const effectsOnce: Check = {
  promise: 'no effect happens twice',
  check({ effects, payments, jobs }) {
    const broken: string[] = [];
    for (const [key, list] of groupBy(effects, ({ key }) => key)) {
      const type = list[0]?.type;
      if (type === 'mail' && list.length > 1) broken.push(`${key} was sent ${list.length} times`);
      // a worker that was frozen before it sent may send last, although it was the first to begin
      if (type === 'webhook' && list.filter(({ isRepeat }) => !isRepeat).length > 1)
        broken.push(`${key} was sent again and did not say so`);
    }
    const paid = groupBy(payments, ({ run }) => run);
    for (const [run, list] of paid) if (list.length > 1) broken.push(`run ${run} paid ${list.length} times`);
    const sent = new Set(effects.map(({ run }) => run));
    for (const { run, type, status } of jobs) {
      if (type === 'payment' && (status === 'succeeded') !== paid.has(run))
        broken.push(`payment ${run} is ${status} and has ${paid.has(run) ? 'paid' : 'not paid'}`);
      if (type === 'mail' && status === 'succeeded' && !sent.has(run))
        broken.push(`mail ${run} succeeded and was not sent`);
    }
    return { counted: effects.length + payments.length, broken };
  },
};

/** The tolerance between the witness's clock, the database's, and the machine's; a frozen worker is late by seconds. */
const CLOCKS_MS = 100;

/**
 * A claim that is over begins no effect: not after the witness saw its end, and not after a later claim began the same
 * effect. An effect that had begun before may still happen late, where its worker is frozen inside of it; no queue can
 * prevent that, and the fence lets a recipient refuse it.
 */
export const noLateEffects: Check = {
  promise: 'no effect begins after its lease',
  needs: ['freeze-in-effect', 'kill-in-effect'],
  check({ events, changes, effects }) {
    const overAt = findEnds(changes);
    const happened = groupBy(effects, ({ key }) => key);
    const broken: string[] = [];
    for (const [key, begins] of groupBy(ofKind(events, 'effect.begun'), ({ key }) => key)) {
      const times = `(it happened ${happened.get(key)?.length ?? 0} ×)`;
      let highest = 0;
      for (const { run, fence, at } of begins) {
        const lateMs = at - (overAt.get(`${run} ${fence}`) ?? Infinity);
        if (lateMs > CLOCKS_MS)
          broken.push(`${key} began ${Math.round(lateMs)} ms after claim ${fence} was over ${times}`);
        else if (fence < highest)
          broken.push(`${key} began under claim ${fence} after claim ${highest} had begun it ${times}`);
        highest = Math.max(highest, fence);
      }
    }
    const held = ofKind(events, 'effect.held');
    const frozen = held.filter(({ how }) => how === 'freeze');
    const moments = [...groupBy(held, ({ moment }) => moment)].map(([moment, list]) => `${list.length} at ${moment}`);
    return {
      counted: held.length,
      broken,
      remark: `${frozen.length} frozen, ${held.length - frozen.length} killed${held.length > 0 ? `: ${moments.join(', ')}` : ''}`,
    };
  },
};

/** When the witness saw each claim end, by run and fence. */
function findEnds(changes: readonly Change[]): Map<string, number> {
  const ends = changes.filter(({ from, to }) => from === 'running' && to !== 'running');
  return new Map(ends.map(({ run, oldFence, at }) => [`${run} ${oldFence}`, at]));
}

/**
 * Every due time of each schedule, from the first to the last one decided, is in the ledger once, fired, with a run of
 * its own.
 */
export const dueTimesOnce: Check = {
  promise: 'every due time exactly once',
  check({ dueTimes, jobs }) {
    const broken: string[] = [];
    const known = new Set<string | null>(jobs.map(({ run }) => run));
    const told = (ms: number): string => new Date(ms).toISOString();
    for (const [key, list] of groupBy(dueTimes, ({ key }) => key)) {
      let lastMs: number | null = null;
      for (const { dueMs, everyMs, outcome, reason, run } of list) {
        if (lastMs !== null && dueMs !== lastMs + everyMs)
          broken.push(`${key}: after ${told(lastMs)} comes ${told(dueMs)}`);
        if (outcome !== 'fired') broken.push(`${key}: ${told(dueMs)} was ${outcome} (${reason})`);
        else if (!known.has(run)) broken.push(`${key}: the run of ${told(dueMs)} is gone`);
        lastMs = dueMs;
      }
    }
    const runs = groupBy(
      dueTimes.filter(({ run }) => run !== null),
      ({ run }) => run,
    );
    for (const [run, list] of runs) if (list.length > 1) broken.push(`run ${run} belongs to ${list.length} due times`);
    const scheduled = jobs.filter(({ schedule }) => schedule !== null).length;
    if (scheduled !== runs.size) broken.push(`${scheduled} runs were made for ${runs.size} due times`);
    return { counted: dueTimes.length, broken };
  },
};
