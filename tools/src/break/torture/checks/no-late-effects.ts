import type { Change } from '../observer/evidence.js';
import { ofKind } from '../observer/history-events.js';
import type { Check } from './check.js';
import { groupBy } from './group-by.js';

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
