import type { PgClient } from '@duework/database';

/** Runs a statement without parameters, such as VACUUM. */
export async function runText(db: PgClient, text: string): Promise<void> {
  await db.$queryRaw({ strings: [text], values: [], text, sql: text, statement: text });
}
