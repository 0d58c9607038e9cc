import type { ApiKey } from '@duework/operate';
import { z } from '@hono/zod-openapi';

const time = z.iso.datetime();
const text = z.string().nullable();

export const apiKey = z
  .object({
    id: z.string().describe('The public part of the key.'),
    name: z.string(),
    scopes: z.array(z.string()),
    status: z.enum(['active', 'expired', 'revoked']),
    createdAt: time,
    createdBy: text,
    expiresAt: time.nullable().describe('null: never.'),
    lastUsedAt: time.nullable().describe('A minute behind at most; null: never.'),
    revokedAt: time.nullable(),
    revokedBy: text,
  } satisfies Record<keyof ApiKey, z.ZodType>)
  .openapi('ApiKey');
