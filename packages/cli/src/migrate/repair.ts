import { connectPg, parseDatabaseUrl } from '@duework/database';
import { describeSchema, planRepair, type Repair } from '@duework/operate';
import { FINDING } from '../exit-codes.js';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';
import { migrationStatements, readMigrationStatus, readRightsToRepair, repairSchema } from './migration-verbs.js';

/** Prints the SQL that makes the schema as the migrations make it; runs it with `isApplied`, and says what is left then. */
export async function repair(
  { write, exitWith }: Pick<CommandParts, 'write' | 'exitWith'>,
  url: string,
  isApplied: boolean,
): Promise<void> {
  const { label } = parseDatabaseUrl(url);
  const { isUsable, unknown } = await readMigrationStatus({ url });
  if (!isUsable || unknown.length > 0)
    throw new PlainError(
      'not_migrated',
      `${label} has other migrations than this release: npx duework migrate status. Migrate it first, or use the release that did.`,
    );
  const plan = await read(url);
  const rights = await readRightsToRepair({ url });
  const { apart, left } = plan;
  const statements = [...plan.statements, ...rights.filter((right) => !plan.statements.includes(right))];
  if (statements.length + apart.length + left.length === 0) return write(`-- ${label} is as its migrations make it.\n`);
  write(print(statements, apart));
  if (!isApplied || statements.length + apart.length === 0) {
    write(left.map((sentence) => `-- Not repaired: ${sentence}\n`).join(''));
    return exitWith(FINDING);
  }
  await repairSchema({ url, statements, apart });
  const after = await read(url);
  const rest = [
    ...after.left,
    ...[...after.statements, ...after.apart].map((one) => `${one.split('\n')[0]} is still to be run.`),
  ];
  write(rest.map((sentence) => `-- Not repaired: ${sentence}\n`).join(''));
  if (rest.length > 0) return exitWith(FINDING);
  write(`-- ${label} is as its migrations make it.\n`);
}

async function read(url: string): Promise<Repair> {
  const db = connectPg({ url, poolSize: 1, applicationName: 'duework-migrate' });
  try {
    return planRepair(await describeSchema(db), migrationStatements());
  } finally {
    await db.$disconnect();
  }
}

function print(statements: readonly string[], apart: readonly string[]): string {
  const lines = (all: readonly string[]): string => all.map((one) => `${one};\n`).join('');
  const together =
    statements.length === 0 ? '' : `BEGIN;\nSET LOCAL check_function_bodies = off;\n${lines(statements)}COMMIT;\n`;
  return together + (apart.length === 0 ? '' : `-- each on its own, outside a transaction\n${lines(apart)}`);
}
