import type { OpenedClient } from '../opened-client.js';
import { type AnyPrisma, PRISMA_VERSIONS } from './prisma-versions.js';

/** Prisma of a version, with an extension where there is one. */
export const openPrisma =
  (version: string, extend: (prisma: AnyPrisma) => AnyPrisma = (prisma) => prisma) =>
  (url: string): OpenedClient => {
    const prisma = PRISMA_VERSIONS[version]!(url);
    const client = extend(prisma);
    return {
      client,
      transact: (run) =>
        client.$transaction((tx) => run(tx, (id) => tx.$executeRaw`INSERT INTO orders (id) VALUES (${id}::int)`)),
      close: () => prisma.$disconnect(),
    };
  };
