import { type ClaimedRun, createPostgresStore, openQueue, type RawClient } from '@duework/queue-core';
import { claimFirst, claimForOthers, claimWith, enqueueDue } from './claim-with.js';
import { CALLS_OF_MANY, CALLS_OF_ONE, type CostCase, MANY, TooLateError } from './cost-case.js';

interface WatchedClient {
  readonly db: RawClient;
  /** The longest time between an answer and the next statement, in milliseconds. */
  readonly longestMs: () => number;
}

/** The same client, watched for how long it waits between two statements. */
function watchGaps(client: RawClient): WatchedClient {
  let answeredMs: number | null = null;
  let longestMs = 0;
  return {
    db: {
      async $queryRaw<T>(statement: Parameters<RawClient['$queryRaw']>[0]) {
        if (answeredMs !== null) longestMs = Math.max(longestMs, performance.now() - answeredMs);
        const answer = await client.$queryRaw<T>(statement);
        answeredMs = performance.now();
        return answer;
      },
    },
    longestMs: () => longestMs,
  };
}

const OTHERS = 8;
/** A claim that comes later than this after a large one looks at the whole queue again. */
const BACKLOG_PAUSE_MS = 100;

const claiming =
  (limit: number, { others = 0 } = {}): CostCase['prepare'] =>
  async ({ client: { db }, other, times }) => {
    await claimForOthers(other.db, others);
    await enqueueDue(other.db, times * limit);
    return () => claimFirst(db, limit);
  };

/** As every claim is while an operator has paused something. */
const claimingBesidePause: CostCase['prepare'] = async (options) => {
  await openQueue(options.other.db).pauseType('another_type');
  return claiming(1)(options);
};

/** Farther from each other than a lower bound stays behind the last run, which would count by the clock. */
const APART_MS = 60_000;
const FIRST_DUE_MS = Date.UTC(2026, 0, 1);

/** Two claims of one store: the second begins where the first has ended, as under a backlog. */
const claimingAgain =
  (limit: number, { others = 0 } = {}): CostCase['prepare'] =>
  async ({ client, other, times }) => {
    await claimForOthers(other.db, others);
    for (let index = 0; index < times; index++)
      await enqueueDue(other.db, 2 * limit, { runAt: new Date(FIRST_DUE_MS + index * APART_MS) });
    return async () => {
      const { db, longestMs } = watchGaps(client.db);
      const store = createPostgresStore({ db });
      await claimWith(store, limit);
      await claimWith(store, limit);
      if (longestMs() >= BACKLOG_PAUSE_MS) throw new TooLateError(`${longestMs()} ms between two claims.`);
    };
  };

const completing =
  (runs: number): CostCase['prepare'] =>
  async ({ client: { db }, other, times }) => {
    await enqueueDue(other.db, times * runs);
    const claims: (readonly ClaimedRun[])[] = [];
    while (claims.length < times) claims.push(await claimFirst(other.db, runs));
    const store = createPostgresStore({ db });
    return async () => {
      const claimed = claims.shift() ?? [];
      const settled = await store.settle(
        claimed.map(({ id, fence }) => ({ kind: 'complete' as const, id, fence, result: null })),
      );
      if (settled.length !== runs || settled.some((status) => status !== 'succeeded'))
        throw new Error(`Not all of ${runs} runs were settled.`);
    };
  };

const working = (name: string, prepare: CostCase['prepare'], more: Partial<CostCase> = {}): CostCase => ({
  name,
  role: 'engine',
  clients: ['prisma', 'pg'],
  beside: 'nothing',
  calls: CALLS_OF_ONE,
  prepare,
  ...more,
});
const many = { calls: CALLS_OF_MANY } as const;
const besideManyRows = { beside: 'many rows', clients: ['pg'] } as const;
/** The lower bound is sent as a number of seconds, which has as many digits as it happens. */
const again = { clients: ['pg'], leftOut: ['bytesSent'], calls: CALLS_OF_MANY } as const;
const throughPg = { clients: ['pg'] } as const;

export const workerCases: readonly CostCase[] = [
  working('claim 1 run', claiming(1)),
  working('claim 500 runs', claiming(MANY), many),
  working('complete 1 run', completing(1)),
  working('complete 500 runs', completing(MANY), many),
  working('claim 1 run while another type is paused', claimingBesidePause, throughPg),
  working('claim 1 run beside 800 running', claiming(1, { others: OTHERS }), throughPg),
  working('claim 500 runs beside 800 running', claiming(MANY, { others: OTHERS }), { ...throughPg, ...many }),
  working('claim 500 runs, then 500 more', claimingAgain(MANY), again),
  working('claim 500 runs, then 500 more beside 800 running', claimingAgain(MANY, { others: OTHERS }), again),
  working('claim 1 run beside many rows', claiming(1), besideManyRows),
  working('claim 500 runs beside many rows', claiming(MANY), { ...besideManyRows, ...many }),
  working('complete 1 run beside many rows', completing(1), besideManyRows),
  working('complete 500 runs beside many rows', completing(MANY), { ...besideManyRows, ...many }),
];
