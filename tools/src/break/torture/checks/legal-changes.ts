import type { Change } from '../observer/evidence.js';
import type { Check } from './check.js';

/**
 * The state machine of docs/understand/state-machine.md, as pairs; a run that leaves the live table becomes final in the same
 * transaction.
 */
const LIVE = new Set(['queued running', 'failed running', 'running failed', 'running queued', 'failed queued']);
const FINAL = new Set([
  'running succeeded',
  'running dead',
  'running cancelled',
  'queued cancelled',
  'failed cancelled',
]);
/** For a run that did not exist before. */
const NOTHING = 'nothing';
/** The statuses from which an operator may start a run again. */
const RETRIABLE = new Set(['dead', 'cancelled', NOTHING]);

/** Every change of status is one that the state machine allows, and no run is in two places or in none. */
export const legalChanges: Check = {
  promise: 'every change of status is a legal one',
  check({ changes }) {
    const broken: string[] = [];
    /** The runs that left one table and have not arrived in the other yet. */
    const between = new Map<string, Change>();
    const known = new Map<string, string | null>();
    /** The status with which a run arrives in a place. */
    const arrive = ({ run, tx, to, place }: Change): string => {
      const left = between.get(run);
      between.delete(run);
      if (left === undefined) return NOTHING;
      if (left.tx !== tx) broken.push(`run ${run} left as ${left.from} and arrived as ${to} in another transaction`);
      if (left.place === place) broken.push(`run ${run} left and came back as ${to}`);
      return left.from ?? NOTHING;
    };
    for (const change of changes) {
      const { run, place, from, to } = change;
      if (from !== null && known.has(run) && known.get(run) !== from)
        broken.push(`run ${run}: was ${known.get(run)} and became ${from} unseen`);
      known.set(run, to ?? from);
      if (to === null) {
        between.set(run, change);
      } else if (from !== null) {
        if (!LIVE.has(`${from} ${to}`) && from !== to) broken.push(`run ${run}: ${from} → ${to}`);
      } else {
        const left = arrive(change);
        const isLegal = place === 'final' ? FINAL.has(`${left} ${to}`) : to === 'queued' && RETRIABLE.has(left);
        if (!isLegal) broken.push(`run ${run}: ${left} → ${to}`);
      }
    }
    for (const { run, from } of between.values()) broken.push(`run ${run} left as ${from} and arrived nowhere`);
    return { counted: changes.length, broken };
  },
};
