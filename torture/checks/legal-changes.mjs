/** docs/state-machine.md, as pairs; a run that leaves the live table becomes final in the same transaction. */
const LIVE = new Set(['queued running', 'failed running', 'running failed', 'running queued', 'failed queued']);
const FINAL = new Set([
  'running succeeded',
  'running dead',
  'running cancelled',
  'queued cancelled',
  'failed cancelled',
]);

/** Every change of status is one that the state machine knows, and nothing is in two places or in none. */
export const legalChanges = {
  promise: 'every change of status is a legal one',
  check({ changes }) {
    const broken = [];
    /** Left the live table, or the history, and has not arrived in the other yet: by run. */
    const between = new Map();
    const known = new Map();
    const arrive = ({ run, tx, to }, from) => {
      const left = between.get(run);
      between.delete(run);
      if (left === undefined) return false;
      if (left.tx !== tx) broken.push(`run ${run} left as ${left.from} and arrived as ${to} in another transaction`);
      if (left.place === from) broken.push(`run ${run} left and came back as ${to}`);
      return left.from;
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
      } else if (place === 'final') {
        const left = arrive(change, 'final');
        if (!FINAL.has(`${left} ${to}`)) broken.push(`run ${run}: ${left || 'nothing'} → ${to}`);
      } else {
        const left = arrive(change, 'live');
        if (to !== 'queued' || !['dead', 'cancelled', false].includes(left))
          broken.push(`run ${run}: ${left || 'nothing'} → ${to}`);
      }
    }
    for (const { run, from } of between.values()) broken.push(`run ${run} left as ${from} and arrived nowhere`);
    return { counted: changes.length, broken };
  },
};
