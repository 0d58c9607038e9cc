import { z, type RouteConfig } from '@hono/zod-openapi';
import { HTTP_ERRORS, type HttpErrorCode } from '../http-errors.js';

const codes = Object.keys(HTTP_ERRORS) as [HttpErrorCode, ...HttpErrorCode[]];

const problem = z
  .object({
    type: z.string().describe('Stable, one per code.').openapi({ example: '/problems/invalid_payload' }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(codes),
    errors: z.array(
      z.object({
        pointer: z
          .string()
          .optional()
          .describe('A JSON pointer into the body of the request.')
          .openapi({ example: '/payload/orderId' }),
        parameter: z.string().optional().describe('The name of a query parameter.'),
        code: z.enum(codes).optional().describe('In a batch: what is wrong with this entry.'),
        reason: z.string().optional().describe('Of a filter: a stable code.').openapi({ example: 'unknown_field' }),
        from: z.int().optional().describe('Of a filter: the first character that this is about, counted from 0.'),
        to: z.int().optional().describe('Of a filter: the character behind the last one that this is about.'),
        hint: z.string().nullable().optional().describe('Of a filter: what to write instead.'),
        message: z.string(),
      }),
    ),
    requestId: z.string(),
  })
  .openapi('Problem');

/** The problem answers of a route, one per status, each with the codes it can have. */
export function problems(...given: HttpErrorCode[]): RouteConfig['responses'] {
  const byStatus = new Map<number, string[]>();
  for (const code of new Set<HttpErrorCode>([...given, 'internal_error'])) {
    const { status, title } = HTTP_ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), `\`${code}\`: ${title}`]);
  }
  const content = { 'application/problem+json': { schema: problem } };
  return Object.fromEntries(
    [...byStatus].map(([status, lines]) => [status, { description: lines.join('; '), content }]),
  );
}

/** The problems of any JSON body. */
export const BODY_PROBLEMS = [
  'empty_body',
  'incomplete_body',
  'malformed_json',
  'body_too_large',
  'rate_limited',
  'overloaded',
  'unsupported_media_type',
  'invalid_body',
] as const;

/** The problems of a new job. */
export const JOB_PROBLEMS = [
  'unknown_job_type',
  'invalid_payload',
  'payload_too_large',
  'payload_not_storable',
  'invalid_idempotency_key',
  'queue_not_allowed',
  'job_exists',
  'invalid_flow_value',
  'invalid_option',
  'key_ring_missing',
] as const;

/** The problems of any route that uses the database. */
export const DATABASE_PROBLEMS = [
  'text_not_storable',
  'query_too_slow',
  'database_busy',
  'database_unavailable',
] as const;

/** The problems of a route whose callers take turns. */
export const READ_PROBLEMS = ['rate_limited', 'overloaded', ...DATABASE_PROBLEMS] as const;

/** The problems of an `Idempotency-Key`. */
export const REPEAT_PROBLEMS = [
  'malformed_idempotency_key',
  'idempotency_key_in_flight',
  'idempotency_key_reused',
] as const;
