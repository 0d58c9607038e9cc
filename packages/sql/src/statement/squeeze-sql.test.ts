import { expect, test } from '@jest/globals';
import { sql, toStatement } from './sql.js';
import { squeezeSql } from './squeeze-sql.js';

test.each([
  ['blanks and ends of lines', 'SELECT\n  1,\t2', 'SELECT 1, 2'],
  ['comments', 'SELECT 1 -- one\n  -- and\n\n  , 2 -- two', 'SELECT 1 , 2 '],
  ['the markers of guards', 'SELECT 1\n  -- guard: one\n  FOR UPDATE\n  -- guard end: one\n)', 'SELECT 1 FOR UPDATE )'],
  ['an end that stands between two words of a fragment', '\n  SELECT ', ' SELECT '],
  ['no quoted text', `SELECT 'a  -- b', 'it''s  --', ''  , 1 - 1`, `SELECT 'a  -- b', 'it''s  --', '' , 1 - 1`],
  ['no apostrophe in a comment', `SELECT 1 -- it's one\n, 'a  b'`, `SELECT 1 , 'a  b'`],
])('a template is squeezed: %s', (_, text, expected) => {
  expect(squeezeSql([text])).toEqual([expected]);
});

test('a template is squeezed once', () => {
  const texts = ['SELECT  ', '  + 1'];
  expect(squeezeSql(texts)).toBe(squeezeSql(texts));
});

test('squeezing leaves the values of a template in their places', () => {
  const make = (value: number) => sql`
    SELECT ${value} -- the value
      + ${1}
  `;
  expect(toStatement(make(7))).toMatchObject({ text: ' SELECT $1 + $2 ', values: [7, 1] });
});
