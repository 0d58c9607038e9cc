import { z } from '@hono/zod-openapi';

/** The query parameter `filter`, as a route checks it: what is in it the filter language decides. */
export const filterQuery = z.string().default('');

/** The same in the OpenAPI document. */
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
