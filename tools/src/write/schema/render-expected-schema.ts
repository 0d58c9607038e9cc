import { connectPg } from '@duework/database';
import { migrations } from '@duework/database/migrate';
import { describeSchema } from '@duework/operate';
import { format, resolveConfig } from 'prettier';

/** The module that `duework doctor` compares a live database with, from a migrated one. `file`: where it belongs. */
export async function renderExpectedSchema(url: string, file: string): Promise<string> {
  const db = connectPg({ url, poolSize: 1 });
  try {
    const applied = migrations.map(({ name, checksum }) => ({ name, checksum }));
    const things = await describeSchema(db);
    const text = `import type { SchemaThing } from './sql/describe-schema.js';
import type { AppliedMigration } from './sql/read-ledger.js';

/** What the migrations of this release make. Generated: npm run write -- schema */
export const expectedSchema: {
  readonly migrations: readonly AppliedMigration[];
  readonly things: readonly SchemaThing[];
} = {
  migrations: ${JSON.stringify(applied)},
  things: ${JSON.stringify(things)},
};
`;
    return await format(text, { ...(await resolveConfig(file)), filepath: file });
  } finally {
    await db.$disconnect();
  }
}
