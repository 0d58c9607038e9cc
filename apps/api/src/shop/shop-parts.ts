import type { PrismaClient } from '@duework/database';
import type { ApiParts } from '@duework/http';

/** What the shop's routes need: it writes its own tables through Prisma. */
export type ShopParts = Pick<ApiParts, 'databaseUrl' | 'payloadLimitBytes'> & { readonly db: PrismaClient };
