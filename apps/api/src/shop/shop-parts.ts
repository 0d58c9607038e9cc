import type { PrismaClient } from '@duework/database';
import type { ApiParts } from '@duework/http';
import type { TroubleParts } from './trouble/trouble-parts.js';

/** What the shop's routes need: it writes its own tables through Prisma. */
export type ShopParts = Pick<ApiParts, 'databaseUrl' | 'payloadLimitBytes'> & {
  readonly db: PrismaClient;
  /** For development alone. Absent: there is no page of the shop, and nothing that makes trouble. */
  readonly trouble?: TroubleParts | undefined;
};
