import type { Migration } from '@duework/database/migrate';

/** The migrations that a release has, out of its dump: checksums by name. */
export function readReleased(dump: string): ReadonlyMap<string, string> {
  const recorded = dump.matchAll(/INSERT INTO duework\.migrations \(name, checksum\) VALUES \('([^']+)', '([^']+)'\)/g);
  return new Map([...recorded].map(([, name, checksum]) => [name!, checksum!]));
}

/**
 * Sentences about migrations that a database of that release could not be upgraded with: what was released does not
 * change, and what is new comes behind it.
 */
export function findChangedMigrations(
  migrations: readonly Pick<Migration, 'name' | 'checksum'>[],
  release: string,
  dump: string,
): string[] {
  const released = readReleased(dump);
  const now = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  const last = [...released.keys()].at(-1) ?? '';
  return [
    ...[...released.keys()]
      .filter((name) => !now.has(name))
      .map((name) => `The migration ${name} was released with ${release}, and is gone.`),
    ...[...released]
      .filter(([name, checksum]) => now.has(name) && now.get(name) !== checksum)
      .map(
        ([name]) => `The migration ${name} was released with ${release}, and has changed: a new file holds a change.`,
      ),
    ...[...now.keys()]
      .filter((name) => !released.has(name) && name < last)
      .map((name) => `The migration ${name} is new and comes before ${last}, which was released with ${release}.`),
  ];
}
