/** What producers, workers, operators and pages export without a type of their own. */
import { createClient } from '@duework/client';
import { enqueue, getJob, jobRequest, openQueue, workflowHandler, type Handlers, type Queryable } from 'duework';
import { defineIsolated } from 'duework/isolated';
import { explainJob, searchJobs } from 'duework/operate';
import { getSchedule } from 'duework/schedules';
import { openShards } from 'duework/shards';
import { createMemoryQueue, performJob } from 'duework/testing';
import { combineMiddleware, createWorker, runWorker, type Middleware, type Store } from 'duework/worker';
import { answering, catalog, collected, durable, isolated, nightly, paid, plain, workflow } from './contracts.js';

declare const db: Queryable;
declare const store: Store;
declare const outer: Middleware<{ readonly tenant: string }>;
declare const inner: Middleware<{ readonly log: Console }, { readonly tenant: string }>;
declare const handlers: Handlers<typeof catalog>;
const payload = { orderId: 1, customer: { id: '', iban: '' } };

export const handlerOfWorkflow = workflowHandler(workflow);
export const handlerOfIsolated = defineIsolated(isolated, async ({ payload: { orderId } }) => void orderId);
export const { durable: stepping, collected: collecting } = handlers;
export const queue = openQueue(db);
export const { enqueueMany, findJobs, result } = queue;
export const shards = openShards({ shards: { north: db } });
export const memory = createMemoryQueue();
export const middleware = combineMiddleware(outer, inner);
export const worker = createWorker({ store, catalog, handlers, name: 'one' } as Parameters<
  typeof createWorker<typeof catalog>
>[0]);
export const run = () => runWorker({ catalog, handlers, schedules: [nightly] });
export const request = jobRequest(plain, payload);
export const produce = () => enqueue(db, answering, payload);
export const tell = () => openQueue(db).signal(paid, payload);
export const look = async () => ({ job: await getJob(db, '1'), why: await explainJob(db, '1') });
export const search = () => searchJobs(db, { filter: 'status:dead' });
export const schedule = () => getSchedule(db, 'nightly');
export const perform = () => performJob(answering, payload, handlers);
export const options = { collected, durable };

export const client = createClient({ url: 'https://example.org/queue' });
export const { flow: flowOfClient, follow } = client;
export const order = (orderId: number) => client.enqueue(answering, { ...payload, orderId });
export const pagesOf = (id: string) => client.getResult(answering, id);
export const list = () => client.findJobs();
