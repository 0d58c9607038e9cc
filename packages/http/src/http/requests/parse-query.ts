import type { z } from 'zod';
import { ApiError, type Fault } from '../../api-error.js';
import type { ApiContext } from '../../api.js';

/**
 * Checks the query of a request. Throws `invalid_query` with the names of the wrong parameters: unknown ones are
 * refused, because a misspelt filter would otherwise seem to have matched, and so are repeated ones.
 */
export function parseQuery<TSchema extends z.ZodObject>(schema: TSchema, c: ApiContext): z.output<TSchema> {
  const given = Object.entries(c.req.queries());
  const repeated = given
    .filter(([, values]) => values.length > 1)
    .map(([parameter]) => ({ parameter, message: 'It is given more than once' }));
  const parsed = schema.safeParse(Object.fromEntries(given.map(([name, values]) => [name, values[0]])));
  if (parsed.success && repeated.length === 0) return parsed.data;
  const errors: Fault[] = [
    ...repeated,
    ...(parsed.error?.issues ?? []).flatMap((issue) => {
      if (issue.code !== 'unrecognized_keys') return [{ parameter: String(issue.path[0]), message: issue.message }];
      return issue.keys.map((parameter) => ({
        parameter,
        message: `There is no such parameter; there are ${Object.keys(schema.shape).join(', ')}`,
      }));
    }),
  ];
  throw new ApiError('invalid_query', 'The query is not valid; see errors for the parameters.', { errors });
}
