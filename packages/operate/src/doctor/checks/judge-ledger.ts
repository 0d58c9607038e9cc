import { expectedSchema } from '../generated/expected-schema.js';
import { found, type Finding } from '../findings.js';
import type { AppliedMigration } from '../sql/read-ledger.js';

/** Whether the database has the migrations of this release, with the texts that they were released with. */
export function judgeLedger(
  applied: readonly AppliedMigration[],
  shipped: readonly AppliedMigration[] = expectedSchema.migrations,
): Finding[] {
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  const known = new Set(shipped.map(({ name }) => name));
  const missing = shipped.filter(({ name }) => !checksums.has(name));
  const newer = applied.filter(({ name }) => !known.has(name));
  const fix =
    newer.length > 0 ? 'Run npx duework migrate with the release that has them all.' : 'Run: npx duework migrate';
  return [
    ...describeMissing(
      missing.map(({ name }) => name),
      shipped.length,
    ).map(([where, sentence]) => found('not_migrated', where, sentence, fix)),
    ...shipped
      .filter(({ name, checksum }) => checksums.has(name) && checksums.get(name) !== checksum)
      .map(({ name }) =>
        found(
          'migration_changed',
          `migration ${name}`,
          `The migration ${name} differs from the one in this release (another checksum).`,
          'Use the release that migrated this database, or a newer one.',
        ),
      ),
    ...newer.map(({ name }) =>
      found(
        'migrated_by_newer',
        `migration ${name}`,
        `The database has the migration ${name}, which this release does not know.`,
        'Finish the deploy of the newer release, and ask its doctor.',
      ),
    ),
  ];
}

/** One finding however many there are: they are applied together. */
function describeMissing(names: readonly string[], shipped: number): (readonly [where: string, sentence: string])[] {
  if (names.length === 0) return [];
  if (names.length > 1) return [['migrations', `The database lacks ${names.length} of ${shipped} migrations.`]];
  return [[`migration ${names[0]}`, `The database lacks the migration ${names[0]}.`]];
}
