import { defineCatalog } from '@duework/contracts';
import {
  createPostgresStore,
  enqueueMany,
  jobRequest,
  type ClaimedRun,
  type Queryable,
  type Store,
} from '@duework/queue-core';
import { nextPayload, sendAlone } from './contracts.js';
import { CALLS_OF_MANY, CALLS_OF_ONE, MANY, type CostCase } from './cost-case.js';

const LEASE_MS = 600_000;
/** As many looks as one statement takes. */
const LOOKS = 1_000;

/** Enqueues runs in batches, one for each of these receivers, who all have names of one length. */
async function enqueueFor(db: Queryable, firstKey: number, keys: number): Promise<void> {
  await enqueueMany(
    db,
    Array.from({ length: keys }, (_, index) =>
      jobRequest(sendAlone, { ...nextPayload(), to: `${100_000 + firstKey + index}@example.com` }),
    ),
  );
}

/** A claim lets in who may go on, and takes them; throws where it gets fewer than it asks for. */
async function claimAlone(store: Store, limit: number): Promise<readonly ClaimedRun[]> {
  const contracts = new Map([[sendAlone.type, { ...sendAlone, leaseMs: LEASE_MS }]]);
  const { runs } = await store.claim({ queue: 'default', contracts, worker: 'costs', limit });
  if (runs.length !== limit) throw new Error(`${runs.length} runs claimed instead of ${limit}.`);
  return runs;
}

/** The contract is registered here, so that the other cases lie beside what they always did. */
const prepareContract = (db: Queryable): Promise<unknown> =>
  createPostgresStore({ db }).prepare(defineCatalog([sendAlone]));

/** Runs whose keys are free, and at which nobody has looked since they were enqueued. */
const lettingIn: CostCase['prepare'] = async ({ client: { db }, other, times }) => {
  await prepareContract(other.db);
  for (let index = 0; index < times; index++) await enqueueFor(other.db, index * LOOKS, LOOKS);
  return () => claimAlone(createPostgresStore({ db }), LOOKS);
};

/** Behind each run others of its key wait: its settlement lets in the next one. */
const takingTurns =
  (runs: number): CostCase['prepare'] =>
  async ({ client: { db }, other, times }) => {
    await prepareContract(other.db);
    for (let index = 0; index <= times; index++) await enqueueFor(other.db, 0, runs);
    // nobody has to look any more when it begins
    let claimed = await claimAlone(createPostgresStore({ db: other.db }), runs);
    return async () => {
      const store = createPostgresStore({ db });
      const settled = await store.settle(
        claimed.map(({ id, fence, gates }) => ({
          kind: 'complete' as const,
          id,
          fence,
          result: null,
          gates: gates ?? [],
        })),
      );
      if (settled.length !== runs || settled.some((status) => status !== 'succeeded'))
        throw new Error(`Not all of ${runs} runs were settled.`);
      claimed = await claimAlone(store, runs);
    };
  };

/** Behind each run others of its key wait, and its settlement takes the next one for the worker. */
const takingNext: CostCase['prepare'] = async ({ client: { db }, other, times }) => {
  await prepareContract(other.db);
  for (let index = 0; index <= times; index++) await enqueueFor(other.db, 0, 1);
  let claimed = await claimAlone(createPostgresStore({ db: other.db }), 1);
  const contracts = new Map([[sendAlone.type, { ...sendAlone, leaseMs: LEASE_MS }]]);
  const taker = { contracts, worker: 'costs', queues: ['default'], limit: 1 };
  return async () => {
    const { id, fence, gates } = claimed[0]!;
    claimed = [];
    await createPostgresStore({ db }).settle([{ kind: 'complete', id, fence, result: null, gates: gates ?? [] }], {
      ...taker,
      take: (runs) => (claimed = runs),
    });
    if (claimed.length !== 1) throw new Error('No run was taken.');
  };
};

/**
 * Bytes of the log are left out: twice they were not the same in two runs (637,920 and 637,795; 1,479.5 and 1,479.47),
 * and why is not known. Records and buffers are compared.
 */
const throughPg = { role: 'engine', clients: ['pg'], beside: 'nothing', leftOut: ['walBytes'] } as const;

/** What is behind a limit of one for each of many keys. */
export const gateCases: readonly CostCase[] = [
  {
    ...throughPg,
    name: 'let in and claim 1000 runs of 1000 keys',
    calls: CALLS_OF_MANY,
    prepare: lettingIn,
  },
  {
    ...throughPg,
    name: 'complete 1 run, let in the next of its key and claim it',
    calls: CALLS_OF_ONE,
    prepare: takingTurns(1),
  },
  {
    ...throughPg,
    name: 'complete 1 run and take the next of its key',
    calls: CALLS_OF_ONE,
    prepare: takingNext,
  },
  {
    ...throughPg,
    name: 'complete 500 runs of 500 keys, let in the next of each and claim them',
    calls: CALLS_OF_MANY,
    prepare: takingTurns(MANY),
  },
];
