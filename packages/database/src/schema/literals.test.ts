import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const folder = new URL('../../../../prisma/migrations/', import.meta.url);
const names = readdirSync(folder).filter((name) => /^\d/.test(name));

/** Every text: with an E, which says what a backslash means, or without. */
const TEXTS = /E'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'/gis;

test.each(names)('no text in %s means something else where standard_conforming_strings is off', (name) => {
  const sql = readFileSync(new URL(`${name}/migration.sql`, folder), 'utf8').replaceAll(/--.*$/gm, '');
  const texts = sql.match(TEXTS) ?? [];
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.filter((text) => text.startsWith("'") && text.includes('\\'))).toEqual([]);
});
