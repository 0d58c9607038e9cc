import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { z } from 'zod';

/** A job that writes down that it was done, in the transaction that completes it. `n` is one of its own kind everywhere. */
export const note = defineJob({
  type: 'note',
  payload: z.object({ n: z.int() }),
  retry: fixed('100ms'),
  maxAttempts: 100,
  lease: '5s',
  timeout: '20s',
});
export const shardCatalog = defineCatalog([note]);

/** What is done, by which run and fence, and when its handler began on the database's clock. */
export const WITNESS = [
  'CREATE SCHEMA witness',
  'CREATE TABLE witness.done (n bigint NOT NULL, run_id bigint NOT NULL, fence bigint NOT NULL, begun_at timestamptz NOT NULL)',
];
