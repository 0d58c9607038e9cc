import type { Check } from './check.js';
import { groupBy } from './group-by.js';

/**
 * Every slot of each schedule, from the first to the last one decided, is in the ledger once, fired, with a run of its
 * own.
 */
export const slotsOnce: Check = {
  promise: 'every slot exactly once',
  needs: 'any run',
  check({ slots, jobs }) {
    const broken: string[] = [];
    const known = new Set<string | null>(jobs.map(({ run }) => run));
    const told = (ms: number): string => new Date(ms).toISOString();
    for (const [key, list] of groupBy(slots, ({ key }) => key)) {
      let lastMs: number | null = null;
      for (const { slotMs, everyMs, outcome, reason, run } of list) {
        if (lastMs !== null && slotMs !== lastMs + everyMs)
          broken.push(`${key}: after ${told(lastMs)} comes ${told(slotMs)}`);
        if (outcome !== 'fired') broken.push(`${key}: ${told(slotMs)} was ${outcome} (${reason})`);
        else if (!known.has(run)) broken.push(`${key}: the run of ${told(slotMs)} is gone`);
        lastMs = slotMs;
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
