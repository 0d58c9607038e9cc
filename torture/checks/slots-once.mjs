import { groupBy } from './group-by.mjs';

/** From the first slot of each schedule to the last one decided: every one of them is in the ledger once, fired, with a run of its own. */
export const slotsOnce = {
  promise: 'every slot exactly once',
  check({ slots, jobs }) {
    const broken = [];
    const known = new Set(jobs.map(({ run }) => run));
    for (const [key, list] of groupBy(slots, ({ key }) => key)) {
      for (const [index, { slotMs, everyMs, outcome, reason, run }] of list.entries()) {
        if (index > 0 && slotMs !== list[index - 1].slotMs + everyMs)
          broken.push(
            `${key}: after ${new Date(list[index - 1].slotMs).toISOString()} comes ${new Date(slotMs).toISOString()}`,
          );
        if (outcome !== 'fired') broken.push(`${key}: ${new Date(slotMs).toISOString()} was ${outcome} (${reason})`);
        else if (!known.has(run)) broken.push(`${key}: the run of ${new Date(slotMs).toISOString()} is gone`);
      }
    }
    const runs = groupBy(
      slots.filter(({ run }) => run !== null),
      ({ run }) => run,
    );
    for (const [run, list] of runs) if (list.length > 1) broken.push(`run ${run} belongs to ${list.length} slots`);
    const scheduled = jobs.filter(({ schedule }) => schedule !== null).length;
    if (scheduled !== runs.size) broken.push(`${scheduled} runs were made for ${runs.size} slots`);
    return { counted: slots.length, broken };
  },
};
