import { enqueue, enqueueMany, jobRequest } from '@duework/queue-core';
import type { ClientName } from './cost-client.js';
import { CALLS_OF_MANY, CALLS_OF_ONE, MANY, type CostCase } from './cost-case.js';
import { nextPayload, sendInLine, sendMail, sendOnce } from './contracts.js';

type Prepare = CostCase['prepare'];

const one: Prepare = async ({ client: { db } }) => {
  return () => enqueue(db, sendMail, nextPayload());
};
const oneInTransaction: Prepare = async ({ client }) => {
  return () => client.transact((tx) => enqueue(tx, sendMail, nextPayload()));
};
const keyed: Prepare = async ({ client: { db } }) => {
  return () => enqueue(db, sendOnce, nextPayload());
};
const keyedInTransaction: Prepare = async ({ client }) => {
  return () => client.transact((tx) => enqueue(tx, sendOnce, nextPayload()));
};
const inLine: Prepare = async ({ client: { db } }) => {
  return () => enqueue(db, sendInLine, nextPayload());
};
const duplicate: Prepare = async ({ client: { db }, other }) => {
  const payload = nextPayload();
  await enqueue(other.db, sendOnce, payload);
  return () => enqueue(db, sendOnce, payload);
};
const many =
  (contract: typeof sendMail | typeof sendOnce | typeof sendInLine): Prepare =>
  async ({ client: { db } }) => {
    return () =>
      enqueueMany(
        db,
        Array.from({ length: MANY }, () => jobRequest(contract, nextPayload())),
      );
  };

const enqueueing = (name: string, prepare: Prepare, more: Partial<CostCase> = {}): CostCase => ({
  name,
  role: 'producer',
  clients: ['prisma', 'pg'],
  beside: 'nothing',
  calls: CALLS_OF_ONE,
  prepare,
  ...more,
});
const besideManyRows = { beside: 'many rows', clients: ['prisma'] as readonly ClientName[] } as const;

export const enqueueCases: readonly CostCase[] = [
  enqueueing('enqueue', one),
  enqueueing('enqueue in a transaction', oneInTransaction),
  enqueueing('enqueue with a key', keyed),
  enqueueing('enqueue with a key in a transaction', keyedInTransaction),
  enqueueing('enqueue a duplicate', duplicate),
  enqueueing('enqueue 500 in a batch', many(sendMail), { calls: CALLS_OF_MANY }),
  enqueueing('enqueue 500 with keys in a batch', many(sendOnce), { calls: CALLS_OF_MANY }),
  enqueueing('enqueue into a line', inLine),
  enqueueing('enqueue 500 into a line in a batch', many(sendInLine), { calls: CALLS_OF_MANY }),
  enqueueing('enqueue in a transaction beside many rows', oneInTransaction, besideManyRows),
  enqueueing('enqueue with a key beside many rows', keyed, besideManyRows),
];
