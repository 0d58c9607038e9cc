import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const folder = new URL('../../../../prisma/migrations/', import.meta.url);
const names = readdirSync(folder).filter((name) => /^\d/.test(name));

/** A text with a backslash, without the E that says what that means; comments are no texts. */
const UNSURE = /(?<![Ee])'[^'\n]*\\[^'\n]*'/g;

test.each(names)('no text in %s means something else where standard_conforming_strings is off', (name) => {
  const sql = readFileSync(new URL(`${name}/migration.sql`, folder), 'utf8').replaceAll(/^\s*--.*$/gm, '');
  expect(sql.match(UNSURE) ?? []).toEqual([]);
});
