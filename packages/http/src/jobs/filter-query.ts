import { z } from '@hono/zod-openapi';

/** The query parameter `filter`, as a route checks it: what is in it the filter language decides. */
export const filterQuery = z.string().default('');

/** The query of what takes a filter alone. */
export const filterAlone = z.strictObject({ filter: filterQuery });

/** How many jobs a page of them has. */
export const JOBS_LIMIT = { max: 200, usual: 50 } as const;
const LIMITS = `A whole number from 1 to ${JOBS_LIMIT.max}`;

/** The query of a list of jobs. */
export const jobsQuery = z.strictObject({
  filter: filterQuery,
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, LIMITS)
    .transform(Number)
    .refine((limit) => limit <= JOBS_LIMIT.max, LIMITS)
    .default(JOBS_LIMIT.usual),
  cursor: z.string().optional(),
});

/** The filter in the OpenAPI document. */
export const filterParameter = {
  name: 'filter',
  in: 'query' as const,
  description:
    'Which jobs: terms with blanks between them, as in `status:dead type:send_invoice error:ECONNREFUSED since:2h`. ' +
    'Fields: status, type, queue, error, key, schedule, version, since, until, payload.…, id, worker, priority, attempts. ' +
    'Several values are written `status:dead,failed`, what is not meant `-type:mail`, words of an error in quotes. ' +
    'Without it: every job. `payload.…` needs the scope `payloads`.',
  example: 'status:dead since:2h',
  schema: { type: 'string' as const, maxLength: 4000 },
};
