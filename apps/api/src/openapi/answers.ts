import type { z } from '@hono/zod-openapi';

/** An answer in JSON, for the document. */
export function answer(description: string, schema: z.ZodType) {
  return { description, content: { 'application/json': { schema } } };
}

const location = { description: 'Where it is.', schema: { type: 'string' as const, format: 'uri-reference' } };

/** An answer in JSON to something that has an address of its own, for the document. */
export function answerWithLocation(description: string, schema: z.ZodType) {
  return { ...answer(description, schema), headers: { Location: location } };
}
