import type { z } from 'zod';
import { ApiError } from '../../api-error.js';
import { listFaults } from './list-faults.js';

/** Far more than any valid body has; each unknown field would cost a check and a fault. */
const MAX_FIELDS = 1_000;

/** Checks the shape of a body. Throws `invalid_body` with a pointer to every fault. */
export function parseBody<TSchema extends z.ZodType>(schema: TSchema, body: unknown): z.output<TSchema> {
  if (isObject(body) && Object.keys(body).length > MAX_FIELDS) {
    throw new ApiError('invalid_body', 'The request body is not valid; see errors.', {
      errors: [{ pointer: '', message: `It has more than ${MAX_FIELDS} fields` }],
    });
  }
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ApiError('invalid_body', 'The request body is not valid; see errors.', {
    errors: listFaults(parsed.error),
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
