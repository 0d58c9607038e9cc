import type { PrismaClient } from '@duework/database';

/** What is on record about the mail of a business event (`invoice:812`); null: nothing. */
export function findMailEffect(db: PrismaClient, runKey: string) {
  return db.jobEffect.findFirst({ where: { runKey, name: 'mail' } });
}
