import { ofKind } from '../observer/history-events.js';
import type { Check } from './check.js';
import { groupBy } from './group-by.js';

/** The answers that a worker can get to its settlement, and what each looks like in the tables. */
const ENDS = {
  'job.succeeded': ['succeeded'],
  'job.dead': ['dead'],
  'job.failed': ['failed', 'cancelled'],
  'job.snoozed': ['queued', 'cancelled'],
  'job.released': ['queued', 'cancelled'],
  'job.cancelled': ['cancelled'],
} as const satisfies Record<string, readonly string[]>;
export const SETTLED = Object.keys(ENDS) as (keyof typeof ENDS)[];

/**
 * Each claim of a run ends once; and a worker that believes it has settled the run did so under the fence of its claim,
 * which the witness saw.
 */
export const oneSettlement: Check = {
  promise: 'no claim is settled twice, or by a worker that has lost it',
  needs: 'any run',
  check({ changes, events }) {
    const broken: string[] = [];
    const ends = groupBy(
      changes.filter(({ from, to }) => from === 'running' && to !== 'running'),
      ({ run, oldFence }) => `${run} ${oldFence}`,
    );
    for (const [claim, list] of ends) if (list.length > 1) broken.push(`claim ${claim} ended ${list.length} times`);
    const finals = new Map(
      changes
        .filter(({ place, to }) => place === 'final' && to !== null)
        .map((change) => [`${change.run} ${change.newFence} ${change.tx}`, change.to]),
    );
    const believed = ofKind(events, ...SETTLED);
    for (const { kind, run, fence, worker } of believed) {
      const belief = `${worker} believes ${kind} of ${run} (fence ${fence})`;
      const end = ends.get(`${run} ${fence}`)?.[0];
      const became = end?.to ?? finals.get(`${run} ${fence} ${end?.tx}`);
      if (end === undefined) broken.push(`${belief}, which the witness has not seen`);
      else if (end.oldWorker !== worker) broken.push(`${belief}, which was ${end.oldWorker}'s`);
      else if (!(ENDS[kind] as readonly unknown[]).includes(became)) broken.push(`${belief}, which became ${became}`);
    }
    for (const [claim, list] of groupBy(believed, ({ run, fence }) => `run ${run}, fence ${fence}`))
      if (list.length > 1) broken.push(`${list.length} believe to have settled ${claim}`);
    return { counted: ends.size, broken };
  },
};
