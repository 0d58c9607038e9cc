import type { z } from '@hono/zod-openapi';

/** A JSON answer, for the document. */
export function answer(description: string, schema: z.ZodType) {
  return { description, content: { 'application/json': { schema } } };
}

/** A JSON answer that browsers get as a page, for the document. */
export function answerAsPageToo(description: string, schema: z.ZodType) {
  const page = { schema: { type: 'string' as const } };
  return { description, content: { ...answer(description, schema).content, 'text/html': page } };
}

const location = { description: 'Where it is.', schema: { type: 'string' as const, format: 'uri-reference' } };

/** A JSON answer about something that has an address of its own, for the document. */
export function answerWithLocation(description: string, schema: z.ZodType) {
  return { ...answer(description, schema), headers: { Location: location } };
}
