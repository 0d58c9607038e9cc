import type { z } from 'zod';
import { ApiError } from '../api-error.js';
import { listFaults } from './list-faults.js';

/** A body that has its shape. Throws `invalid_body` with a pointer to everything that is wrong. */
export function parseBody<TSchema extends z.ZodType>(schema: TSchema, body: unknown): z.output<TSchema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ApiError('invalid_body', 'The body does not have its shape; errors says where.', { errors: listFaults(parsed.error) });
}
