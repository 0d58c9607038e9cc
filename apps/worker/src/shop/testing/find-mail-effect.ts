import type { PrismaClient } from '@duework/database';

/** The effect on record for the mail of a business event (`invoice:812`); null: there is none. */
export function findMailEffect(db: PrismaClient, runKey: string) {
  return db.jobEffect.findFirst({ where: { runKey, name: 'mail' } });
}
