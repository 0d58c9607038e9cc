import { readFileSync } from 'node:fs';
import { useTestDatabase } from '@duework/testing/fixtures';
import { expect, test } from '@jest/globals';
import { renderAccess } from '../testing/access/render-access.js';
import { tryAccess } from '../testing/access/try-access.js';

const database = useTestDatabase();
const FILE = new URL('../../../../docs/look-up/access.md', import.meta.url);

/** The rows of the tables in a text, without what only aligns them. */
const rowsOf = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|[ -|]+$/.test(line))
    .map((line) => line.replaceAll(/ +/g, ' '));

test('each route answers each scope and each type as docs/look-up/access.md says: npm run write -- access', async () => {
  const rows = await tryAccess(database.db);
  expect(rows.length).toBeGreaterThan(80);
  expect(rowsOf(renderAccess(rows))).toEqual(rowsOf(readFileSync(FILE, 'utf8')));
});
