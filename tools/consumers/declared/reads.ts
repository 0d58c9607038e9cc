/** Reads what the others declare, as another project of a workspace does, and finds the types as they were. */
import type { PayloadOf, ResultOf } from 'duework';
import { answering, catalog, lifted, paid, workflow, ofContracts } from './declared/contracts.js';
import { client, order, pagesOf, queue, worker } from './declared/uses.js';

export const result: ResultOf<typeof answering> = { pages: 1 };
export const payload: PayloadOf<(typeof catalog)[9]> = { orderId: 1, customer: { id: '', iban: '' } };
export const types: [(typeof catalog)[0]['type'], (typeof ofContracts)[1]['type']] = ['plain', 'other'];
export const name: typeof paid.by = ['orderId'];
export const version: number = lifted.version;
export const started: Promise<void> = worker.start();
export const book = () => queue.enqueue(workflow, payload);
export const ask = async (): Promise<number | undefined> => {
  const { id } = await order(1);
  for await (const { status } of client.follow(id)) status.trim();
  return (await pagesOf(id))?.pages;
};
// @ts-expect-error what was inferred is still exact
export const wrong: ResultOf<typeof answering> = { pages: 'one' };
