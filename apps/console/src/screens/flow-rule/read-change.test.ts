import { expect, test } from '@jest/globals';
import { readChange, toDraft } from './read-change.js';

const declared = { max: 100, perMs: 60_000, burst: 10 };
const rule = { terms: declared, declared, changed: null };
const fields = ['max', 'per', 'burst'];

test('fields show what holds, and those that are left as they are change nothing', () => {
  const draft = toDraft(fields, declared);
  expect(draft).toEqual({ max: '100', per: '1m', burst: '10' });
  expect(readChange(draft, rule)).toBeNull();
});

test('only what somebody has written is changed, numbers as numbers and durations as the API reads them', () => {
  expect(readChange({ max: ' 20 ', per: '30s', burst: '10' }, rule)).toEqual({ change: { max: 20, per: '30s' } });
});

test('what is no number is named, and never sent as nothing', () => {
  expect(readChange({ max: 'many', per: '1m', burst: '10' }, rule)).toEqual({ wrong: 'max' });
  expect(readChange({ max: '100', per: '1m', burst: '' }, rule)).toEqual({ wrong: 'burst' });
});

test('a field that somebody writes back to what is declared is taken back', () => {
  const changed = { terms: { ...declared, max: 5 }, declared, changed: { max: 5 } };
  expect(readChange({ max: '100', per: '1m', burst: '10' }, changed)).toEqual({ change: { max: null } });
});
