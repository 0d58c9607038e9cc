import { z } from '@hono/zod-openapi';

/** The parameters of a list that comes in pages of at most `max`, `usual` unless given. */
export function pageQuery(max: number, usual: number) {
  const limits = `A whole number from 1 to ${max}`;
  return {
    limit: z
      .string()
      .regex(/^[1-9]\d{0,3}$/, limits)
      .transform(Number)
      .refine((limit) => limit <= max, limits)
      .default(usual),
    cursor: z.string().max(100).optional(),
  };
}

/** The same, for the document. */
export const pageParameters = (max: number, usual: number) => [
  {
    name: 'limit',
    in: 'query' as const,
    schema: { type: 'integer' as const, minimum: 1, maximum: max, default: usual },
  },
  {
    name: 'cursor',
    in: 'query' as const,
    description: 'nextCursor of the page before.',
    schema: { type: 'string' as const },
  },
];
