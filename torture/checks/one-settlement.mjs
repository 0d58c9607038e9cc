import { groupBy } from './group-by.mjs';

/** What a worker was told about its settlement, and what that looks like in the tables. */
const ENDS = {
  'job.succeeded': ['succeeded'],
  'job.dead': ['dead'],
  'job.failed': ['failed', 'cancelled'],
  'job.snoozed': ['queued', 'cancelled'],
  'job.released': ['queued', 'cancelled'],
  'job.cancelled': ['cancelled'],
};

/**
 * Each claim of a run ends once; and whoever believes to have settled it did so under the fence that the claim was given, which
 * the witness saw.
 */
export const oneSettlement = {
  promise: 'no claim is settled twice, or by a worker that has lost it',
  check({ changes, events }) {
    const broken = [];
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
    const believed = events.filter(({ kind }) => kind in ENDS);
    for (const { kind, run, fence, worker } of believed) {
      const end = ends.get(`${run} ${fence}`)?.[0];
      if (end === undefined)
        broken.push(`${worker} believes ${kind} of ${run} (fence ${fence}), which the witness has not seen`);
      else if (end.oldWorker !== worker)
        broken.push(`${worker} believes ${kind} of ${run} (fence ${fence}), which was ${end.oldWorker}'s`);
      else {
        const became = end.to ?? finals.get(`${run} ${fence} ${end.tx}`);
        if (!ENDS[kind].includes(became))
          broken.push(`${worker} believes ${kind} of ${run} (fence ${fence}), which became ${became}`);
      }
    }
    for (const [, list] of groupBy(believed, ({ run, fence }) => `${run} ${fence}`))
      if (list.length > 1)
        broken.push(`${list.length} believe to have settled run ${list[0].run}, fence ${list[0].fence}`);
    return { counted: ends.size, broken };
  },
};
