import { quantile } from '../../../kit/quantile.js';
import { openProducer } from '../processes/open-producer.js';
import { openWorkers } from '../processes/open-workers.js';
import { PACE, type Lane, type System } from '../systems/system.js';
import { enqueueBacklog } from './enqueue-backlog.js';
import type { Measure, Turn } from './measure.js';
import { measureDrain } from './measure-drain.js';

const PACED_WORKERS = 4;
/** The time limit after all jobs are sent. */
const LATE_MS = 60_000;

const takes =
  (lane: Lane): NonNullable<Measure['takes']> =>
  ({ lanes = [] }: System) =>
    lanes.includes(lane);

/** One at a time of each of many keys, against the same jobs without a limit. */
const limited: Measure = {
  name: 'flow-limited',
  group: 'flow',
  figures: [
    {
      key: 'jobsPerSecond',
      title: 'Drain 50,000 no-op jobs, one at a time for each of 10,000 keys',
      unit: 'jobs/s',
      targets: [{ times: 1, of: 'best' }],
    },
    { key: 'share', title: '  that against no limit', unit: '×', targets: [{ atLeast: 0.4 }] },
  ],
  takes: takes('limited'),
  async run({ size: { flow }, ...turn }) {
    const makeJob = (id: number) => ({ id, to: `a${id % flow.keys}@example.com` });
    const free = await measureDrain({ ...turn, jobs: flow.jobs, makeJob });
    const place = await turn.openEmpty();
    try {
      const { jobsPerSecond } = await measureDrain({ ...turn, place, jobs: flow.jobs, makeJob, lane: 'limited' });
      return { jobsPerSecond, share: jobsPerSecond / free.jobsPerSecond };
    } finally {
      await place.drop();
    }
  },
};

/** All jobs of one key, strictly one after the other. */
const ordered: Measure = {
  name: 'flow-ordered',
  group: 'flow',
  figures: [
    { key: 'jobsPerSecond', title: 'Drain 500 no-op jobs of one key, in order', unit: 'jobs/s' },
    { key: 'overtaken', title: '  started before one that was enqueued earlier', unit: 'jobs', isLessBetter: true },
  ],
  takes: takes('ordered'),
  async run({ system, lab, place, size: { flow }, name }) {
    const jobs = flow.ordered;
    // in the order of their ids
    await enqueueBacklog({ system, place, jobs, lane: 'ordered', atOnce: 1 });
    await lab.settle(place);
    const workers = await openWorkers({ system, url: place.url, job: 'stamp', size: jobs, lane: 'ordered', name });
    try {
      const startMs = workers.start();
      const endMs = await workers.drained(jobs);
      const [{ startedMs }] = await workers.read();
      const overtaken = startedMs.filter((ms, id) => id > 0 && ms < (startedMs[id - 1] ?? 0)).length;
      return { jobsPerSecond: (jobs * 1_000) / (endMs - startMs), overtaken };
    } finally {
      await workers.stop();
    }
  },
};

/** A rate that all workers share, under a backlog. */
const paced: Measure = {
  name: 'flow-paced',
  group: 'flow',
  figures: [
    {
      key: 'off',
      title: 'A rate of 1,000/s over 60 s, 4 workers: off by',
      unit: '%',
      isLessBetter: true,
      targets: [{ atMost: 2 }],
    },
    { key: 'most', title: '  the most that started within a second', unit: 'jobs', isLessBetter: true },
  ],
  takes: takes('paced'),
  async run({ system, lab, place, size: { flow }, name }) {
    const jobs = PACE + (PACE * flow.pacedMs) / 1_000;
    await enqueueBacklog({ system, place, jobs, lane: 'paced' });
    await lab.settle(place);
    const common = { system, url: place.url, count: PACED_WORKERS, lane: 'paced', name } as const;
    const workers = await openWorkers({ ...common, job: 'stamp', size: jobs });
    try {
      workers.start();
      await workers.drained(jobs);
      const reads = await workers.read();
      const starts = Float64Array.from({ length: jobs }, (_, id) =>
        Math.max(...reads.map(({ startedMs }) => startedMs[id] ?? 0)),
      ).sort();
      return judgePace(starts, flow.pacedMs);
    } finally {
      await workers.stop();
    }
  },
};

/** @param starts when jobs started, in their order; the first second, with its burst, is left out */
function judgePace(starts: Float64Array, pacedMs: number): { off: number; most: number } {
  const fromMs = (starts[0] ?? NaN) + 1_000;
  const within = (from: number, ms: number): number => starts.filter((at) => at >= from && at < from + ms).length;
  // the jobs may be over before the time is
  const ms = Math.min(pacedMs, (starts.at(-1) ?? NaN) - fromMs);
  const wanted = (PACE * ms) / 1_000;
  const watched = starts.filter((at) => at >= fromMs);
  let most = 0;
  let first = 0;
  for (const [index, at] of watched.entries()) {
    while (at - (watched[first] ?? at) >= 1_000) first++;
    most = Math.max(most, index - first + 1);
  }
  return { off: Math.abs(within(fromMs, ms) / wanted - 1) * 100, most };
}

/** How long the jobs of a small tenant wait, alone and beside one with very many. */
const shared: Measure = {
  name: 'flow-shared',
  group: 'flow',
  figures: [
    { key: 'alone', title: 'Enqueued to started of a small tenant, p99', unit: 'ms', isLessBetter: true },
    { key: 'beside', title: '  beside one with 200,000 waiting', unit: 'ms', isLessBetter: true },
    { key: 'times', title: '  that against alone', unit: '×', isLessBetter: true, targets: [{ atMost: 2 }] },
  ],
  takes: takes('shared'),
  async run(turn) {
    const alone = await measureSmallTenant(turn, 0);
    const place = await turn.openEmpty();
    try {
      const beside = await measureSmallTenant({ ...turn, place }, turn.size.flow.large);
      return { alone, beside, times: beside / alone };
    } finally {
      await place.drop();
    }
  },
};

/** The p99 of the time from the enqueueing call's return to the handler's start, of the small tenant's jobs, in ms. */
async function measureSmallTenant({ system, lab, place, size: { flow }, name }: Turn, large: number): Promise<number> {
  const { perSecond, ms } = flow.small;
  const jobs = Math.round((perSecond * ms) / 1_000);
  const common = { system, url: place.url, lane: 'shared', name } as const;
  const producer = await openProducer(common);
  const workers = await openWorkers({ ...common, job: 'stampAndWait', size: jobs });
  try {
    const makeJob = (id: number) => ({ id: jobs + id, to: 'large@example.com' });
    await enqueueBacklog({ system, place, jobs: large, lane: 'shared', makeJob });
    await lab.settle(place);
    workers.start();
    const { returnedMs } = await producer.ask('pace', { perSecond, jobs }, ms + LATE_MS);
    await workers.drained(jobs);
    const [{ startedMs }] = await workers.read();
    // a handler may start before its producer has received the answer to the commit
    return quantile(
      startedMs.map((at, id) => Math.max(0, at - (returnedMs[id] ?? NaN))),
      0.99,
    );
  } finally {
    await producer.stop();
    await workers.stop();
  }
}

/** What waits for more than a slot. BullMQ's open source has a rate and a concurrency of the whole queue only. */
export const flow: readonly Measure[] = [limited, ordered, paced, shared];
