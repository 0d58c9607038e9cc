import { z } from '@hono/zod-openapi';
import { job } from '../jobs/present-job.js';
import { idOf } from '../openapi/mark-ids.js';

/** A job of a page that is followed. */
export const listedJob = job
  .omit({ payload: true, result: true, meta: true, gates: true, lockedUntil: true })
  .openapi('ListedJob');

/** What a stream tells of the first page of a filter. */
export const pageEvent = z
  .object({
    ids: z.array(z.string().openapi(idOf('job'))).describe('The jobs of the page, in their order.'),
    jobs: z
      .array(listedJob)
      .describe('Of an event `page` all of them, of an event `change` those that are new on the page or have changed.'),
    nextCursor: z
      .string()
      .nullable()
      .describe('Where `GET /v1/jobs` goes on behind the page; null: nothing is behind.'),
    complete: z.boolean().describe('false: the search stopped at its limit; `hint` says which term would help.'),
    hint: z.string().nullable(),
  })
  .openapi('PageEvent');
