export { checkDatabase, type RawQueryable } from './check-database.js';
export { connectPrisma, type ConnectPrismaOptions } from './connect-prisma.js';
export { DatabaseError, type DatabaseErrorCode } from './database-error.js';
export { describeDatabaseError } from './describe-database-error.js';
export { Prisma, PrismaClient } from './generated/client.js';
export type * from './generated/client.js';
export { parseDatabaseUrl, type DatabaseAddress } from './parse-database-url.js';
export { quietClient } from './quiet-client.js';
export type { DatabaseRole } from './session-options.js';
