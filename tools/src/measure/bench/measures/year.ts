import { connectPg } from '@duework/database';
import { ensurePartitions } from '@duework/queue-core';
import { quantile } from '../../../kit/quantile.js';
import type { Place } from '../servers/make-place.js';
import { openPlainPrisma } from '../systems/open-plain-prisma.js';
import { prepareFinished, type FinishedJobs } from './prepare-finished.js';
import type { Measure } from './measure.js';

/** The verbs that look for one job wherever it is, through a plain client, which plans each statement anew. */
const VERBS = {
  find: 'Find a finished job by its id',
  duplicate: 'Enqueue a duplicate of a finished job',
  retry: 'Retry a dead job',
} as const satisfies Record<keyof FinishedJobs, string>;

const verbs = Object.entries(VERBS) as [keyof FinishedJobs, string][];
/** The two databases take turns, because the machine is not the same from one second to the next. */
const TURNS = 4;

/** Looking for one job beside a partition for each day of a year, against those of a new database. */
export const year: Measure = {
  name: 'year',
  maxRounds: 1,
  figures: verbs.flatMap(([key, title]) => [
    { key, title: `${title}, with a year of partitions: p50`, unit: 'ms', isLessBetter: true as const },
    { key: `${key}Times`, title: '  against eight of them', unit: 'times', isLessBetter: true as const },
  ]),
  takes: ({ name }) => name === 'duework',
  async run({ place, size, openEmpty }) {
    const longPlace = await openEmpty();
    try {
      const db = connectPg({ url: longPlace.url, poolSize: 1 });
      await ensurePartitions(db, size.year.days);
      await db.$disconnect();
      const [usual, long] = await measureInTurns([place, longPlace], size.year.calls);
      return Object.fromEntries(
        verbs.flatMap(([key]) => [
          [key, long[key]],
          [`${key}Times`, long[key] / usual[key]],
        ]),
      );
    } finally {
      await longPlace.drop();
    }
  },
};

type P50Ms = Readonly<Record<keyof FinishedJobs, number>>;

async function measureInTurns(places: readonly [Place, Place], calls: number): Promise<[P50Ms, P50Ms]> {
  const opened = [];
  for (const { url } of places) {
    const prisma = openPlainPrisma(url);
    opened.push({ prisma, jobs: await prepareFinished(url, prisma, calls), tookMs: emptyTimes() });
  }
  try {
    for (const [key] of verbs) {
      for (let turn = 0; turn < TURNS; turn++) {
        for (const { jobs, tookMs } of opened) await callSome(jobs[key], Math.floor(calls / TURNS), tookMs[key]);
      }
    }
    const [usual, long] = opened.map(({ tookMs }) => ({
      find: quantile(tookMs.find, 0.5),
      duplicate: quantile(tookMs.duplicate, 0.5),
      retry: quantile(tookMs.retry, 0.5),
    }));
    return [usual!, long!];
  } finally {
    await Promise.all(opened.map(({ prisma }) => prisma.$disconnect()));
  }
}

async function callSome(call: () => Promise<unknown>, times: number, tookMs: number[]): Promise<void> {
  for (let index = 0; index < times; index++) {
    const beginMs = performance.now();
    await call();
    tookMs.push(performance.now() - beginMs);
  }
}

const emptyTimes = (): Record<keyof FinishedJobs, number[]> => ({ find: [], duplicate: [], retry: [] });
