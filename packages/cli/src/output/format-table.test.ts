import { expect, test } from '@jest/globals';
import { formatTable } from './format-table.js';
import { lookOf } from './look-of.js';

const rows = [['1', { text: 'dead', style: 'red' }, 'connect ECONNREFUSED'] as const];
const HEAD = ['ID', 'STATUS', 'ERROR'];

test('a table is plain where nobody looks, and on a terminal that wants no colours', () => {
  const plain = 'ID  STATUS  ERROR\n1   dead    connect ECONNREFUSED\n';
  expect(formatTable(HEAD, rows, '')).toBe(plain);
  const look = lookOf({ isTTY: true, columns: 80, hasColors: () => false });
  expect(formatTable(HEAD, rows, '', look)).toBe(plain);
});

test('on a terminal statuses have colours, and the last column is cut to its width', () => {
  const look = lookOf({ isTTY: true, columns: 25, hasColors: () => true });
  expect(formatTable(HEAD, rows, '', look)).toContain('\u001b[31mdead\u001b[39m    connect ECON…\n');
});

test('what others have written moves no cursor and begins no line', () => {
  expect(formatTable(['ERROR'], [['a\u001b[2Jb\nc\u202ed']], '')).toBe('ERROR\na [2Jb c d\n');
});
