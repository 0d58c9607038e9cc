import { expect, test } from '@jest/globals';
import { migrations } from '@duework/database/migrate';
import { root } from '../../../bootstrap/paths.mjs';
import { type DatabaseOfRelease, findDatabaseRefusals } from './find-database-refusals.js';
import { readDumps } from './read-dumps.js';

const a = { name: '1_a', checksum: 'aaa' };
const b = { name: '2_b', checksum: 'bbb' };
const c = { name: '3_c', checksum: 'ccc' };

const dump = (version: string, ...of: readonly (typeof a)[]): { version: string; text: string } => ({
  version,
  text: of
    .map(({ name, checksum }) => `INSERT INTO duework.migrations (name, checksum) VALUES ('${name}', '${checksum}');\n`)
    .join(''),
});

const released: DatabaseOfRelease = {
  version: '0.2.0',
  isVersioned: true,
  isReleased: false,
  migrations: [a, b, c],
  dumps: [dump('0.1.0', a, b), dump('0.2.0', a, b, c)],
};

test('a release whose migrations come behind the released ones is made', () => {
  expect(findDatabaseRefusals(released)).toEqual([]);
});

test.each<[string, Partial<DatabaseOfRelease>]>([
  [
    'The migration 2_b was released with 0.1.0, and has changed: a new file holds a change.',
    { migrations: [a, { ...b, checksum: 'other' }], dumps: [dump('0.1.0', a, b)], isVersioned: false },
  ],
  [
    'The migration 2_b was released with 0.1.0, and is gone.',
    { migrations: [a], dumps: [dump('0.1.0', a, b)], isVersioned: false },
  ],
  [
    'The migration 2_b is new and comes before 3_c, which was released with 0.1.0.',
    { dumps: [dump('0.1.0', a, c)], isVersioned: false },
  ],
  ['0.2.0 has no dump for the test of upgrades: npm run release -- dump 0.2.0', { dumps: [dump('0.1.0', a, b)] }],
  [
    'The dump of 0.2.0 is older than its migrations: npm run release -- dump 0.2.0 --force',
    { dumps: [dump('0.1.0', a, b), dump('0.2.0', a, b)] },
  ],
  [
    'The migration 3_c was released with 0.2.0, and has changed: a new file holds a change.',
    { migrations: [a, b, { ...c, checksum: 'other' }], isVersioned: false, isReleased: true },
  ],
])('a release is refused: %s', (reason, given) => {
  expect(findDatabaseRefusals({ ...released, ...given })).toEqual([reason]);
});

test('the migrations of this repository fit the dumps of its releases, and are not released without one', () => {
  const dumps = readDumps(root);
  const next = { isReleased: false, migrations, dumps };
  const last = dumps.at(-1)?.version ?? '0.0.0';
  expect(findDatabaseRefusals({ ...next, version: last, isVersioned: false })).toEqual([]);
  expect(findDatabaseRefusals({ ...next, version: '99.0.0', isVersioned: true })).toEqual([
    '99.0.0 has no dump for the test of upgrades: npm run release -- dump 99.0.0',
  ]);
});
