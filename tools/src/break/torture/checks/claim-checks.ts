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

/** A claim adds one to the fence, and nothing else changes it. */
export const growingFence: Check = {
  promise: 'a fence only grows, by one with each claim',
  check({ changes }) {
    const broken: string[] = [];
    const fences = new Map<string, number>();
    let claims = 0;
    for (const { run, from, to, oldFence, newFence } of changes) {
      const known = fences.get(run);
      const before = oldFence ?? known ?? 0;
      if (known !== undefined && oldFence !== null && oldFence !== known)
        broken.push(`run ${run}: its fence was ${known} and became ${oldFence} unseen`);
      if (newFence === null) continue;
      const isClaim = from !== null && to === 'running';
      if (isClaim) claims++;
      if (newFence !== before + (isClaim ? 1 : 0))
        broken.push(`run ${run}: fence ${before} → ${newFence} with ${from ?? 'nothing'} → ${to}`);
      fences.set(run, newFence);
    }
    return { counted: claims, broken };
  },
};

/**
 * Between its last look at a lease and the call of the handler a process may be frozen; nothing can prevent what it does
 * then, and the torture freezes at any moment. So a begin of a worker that was frozen less than this before it is told
 * and not judged; a worker that does not look begins later, when a slot gets free, or many at once.
 */
const JUST_RESUMED_MS = 2;

/** No handler begins for a run that a later claim has begun: its worker has lost it, and can know it. */
export const beginsInOrder: Check = {
  promise: 'no handler begins for a run that another worker has taken over and begun',
  check({ events }) {
    const broken: string[] = [];
    const begins = ofKind(events, 'handler.started').toSorted((a, b) => a.at - b.at);
    const resumed = ofKind(events, 'fault.ended').map(({ at }) => at);
    let unjudged = 0;
    for (const [run, ofRun] of groupBy(begins, (begin) => begin.run)) {
      let highest = 0;
      for (const { fence, at, by } of ofRun) {
        if (fence < highest) {
          if (resumed.some((ms) => at >= ms && at - ms < JUST_RESUMED_MS)) unjudged++;
          else broken.push(`${by} began run ${run} under claim ${fence} after claim ${highest} had begun it`);
        }
        highest = Math.max(highest, fence);
      }
    }
    return { counted: begins.length, broken, ...(unjudged > 0 && { remark: `${unjudged} in the moment of a resume` }) };
  },
};
