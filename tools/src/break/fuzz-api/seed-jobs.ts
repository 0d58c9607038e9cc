import {
  createPostgresStore,
  enqueueBatch,
  enqueueMany,
  jobRequest,
  registerDefinitions,
  type ErrorRecord,
  type Settlement,
} from '@duework/queue-core';
import { startBulkAction } from '@duework/operate';
import { catalog, sendReceipt } from '@duework/shop';
import type pg from 'pg';

/** The type of all of them. */
export const SEEDED_TYPE = sendReceipt.type;
const EACH = 8;
const error: ErrorRecord = {
  code: 'ECONNREFUSED',
  type: 'SmtpError',
  message: 'connect ECONNREFUSED 192.0.2.7:25',
  stack: null,
};

/** A rule of flow control that the shop's contracts declare. */
export const SEEDED_RULE = { kind: 'limit', name: 'smtp' };

/** A batch of jobs that nobody runs. Returns its id. */
export async function seedBatch(db: pg.Pool): Promise<string> {
  const jobs = Array.from({ length: EACH }, (_, n) => {
    const payload = { receiptId: `batch-${n}`, email: 'ada@example.com', amountCents: n, currency: 'EUR' };
    return jobRequest(sendReceipt, payload, { delay: '1h' });
  });
  return (await enqueueBatch(db, { name: 'seeded', jobs })).id;
}

/** A bulk action that nobody steps. Returns its id. */
export async function seedBulkAction(db: pg.Pool): Promise<string> {
  const action = { verb: 'change_priority', filter: `type:${SEEDED_TYPE} status:queued`, priority: 2 } as const;
  return (await startBulkAction(db, catalog, action)).id;
}

/** Jobs in every state, for the routes to be asked about; some are due, and some not for an hour. Returns their ids. */
export async function seedJobs(db: pg.Pool): Promise<readonly string[]> {
  const store = createPostgresStore({ db });
  await registerDefinitions(db, catalog);
  const add = async (name: string, delay?: '1h'): Promise<string[]> => {
    const requests = Array.from({ length: EACH }, (_, n) => {
      const payload = { receiptId: `${name}-${n}`, email: 'ada@example.com', amountCents: n, currency: 'EUR' };
      return jobRequest(sendReceipt, payload, delay === undefined ? {} : { delay });
    });
    return (await enqueueMany(db, requests)).map(({ id }) => id);
  };
  const contracts = new Map(catalog.map((contract) => [contract.type, contract]));
  const end = async (name: string, ending: object | null): Promise<string[]> => {
    const ids = await add(name);
    const { runs } = await store.claim({ queue: 'default', contracts, worker: 'fuzz', limit: EACH });
    if (ending !== null) await store.settle(runs.map(({ id, fence }) => ({ id, fence, ...ending }) as Settlement));
    return ids;
  };
  return [
    ...(await end('succeeded', { kind: 'complete', result: { messageId: '<1@example.com>', reply: '250' } })),
    ...(await end('dead', { kind: 'bury', error, abort: null })),
    ...(await end('dead-too', { kind: 'bury', error, abort: null })),
    ...(await end('failed', { kind: 'fail', error, delayMs: 3_600_000, abort: null })),
    ...(await end('cancelled', { kind: 'confirm_cancel', by: 'fuzz', reason: 'nobody wants it', abort: null })),
    ...(await end('running', null)),
    ...(await add('later', '1h')),
    ...(await add('due')),
  ];
}
