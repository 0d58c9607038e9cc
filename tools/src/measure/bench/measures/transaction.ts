import type { CallRate } from '../processes/call-for.js';
import { openTransactor } from '../processes/open-producer.js';
import type { BusinessJob } from '../processes/transactor.js';
import { makeDatabase, type Place } from '../servers/make-place.js';
import type { BenchPostgres } from '../servers/start-bench-postgres.js';
import { queryOnce } from '../systems/query-once.js';
import type { Figure, Measure } from './measure.js';

const CREATE = `
  CREATE TABLE bench_orders (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    customer text NOT NULL,
    cents integer NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  )`;

/** Makes the user's own table in the database of a place, or in one of its own where the place is a Redis. */
async function openOrders(postgres: BenchPostgres, place: Place): Promise<Place> {
  const isSql = place.serverPid === undefined;
  const orders: Place = isSql ? { url: place.url, drop: async () => {} } : await makeDatabase(postgres);
  await queryOnce(orders.url, CREATE);
  return orders;
}

const CASES: readonly { readonly job: BusinessJob; readonly words: string }[] = [
  { job: 'plain', words: 'with its job' },
  { job: 'keyed', words: 'with its job, which has a key' },
  { job: 'none', words: 'without a job' },
];
const CALLERS = [1, 20];
const LIMIT_MS = 60_000;

const figures = CASES.flatMap(({ job, words }) =>
  CALLERS.flatMap((callers): Figure[] => [
    {
      key: `${job}${callers}`,
      title: `One row in a Prisma transaction ${words}, ${callers === 1 ? 'one caller' : `${callers} callers`}`,
      unit: '1/s',
    },
    { key: `${job}${callers}P50`, title: '  p50', unit: 'ms', isLessBetter: true },
  ]),
);

/** What a user's API does: a row of its own and one job, in a transaction of a plain Prisma client. */
export const transaction: Measure = {
  name: 'transaction',
  figures,
  // a transaction is Prisma's
  takes: ({ name }) => name !== 'duework-pg',
  async run({ system, place, size, lab, name }) {
    const orders = await openOrders(lab.postgres, place);
    const transactor = await openTransactor({ system, url: place.url, ordersUrl: orders.url, name });
    const values: Record<string, number> = {};
    try {
      for (const callers of CALLERS) {
        for (const { job } of CASES) {
          const rate: CallRate = await transactor.ask('call', { job, callers, ms: size.transactionMs }, LIMIT_MS);
          values[`${job}${callers}`] = rate.perSecond;
          values[`${job}${callers}P50`] = rate.p50Ms;
        }
      }
      return values;
    } finally {
      await transactor.stop();
      await orders.drop();
    }
  },
};
