import { expect, test } from '@jest/globals';
import { parseShardUrls } from './parse-shard-urls.js';

test('names and URLs are read, however many blanks are between them', () => {
  const urls = parseShardUrls(' a=postgres://u:p@h:5432/one?x=y\n  b2=postgres://u@h/two ');
  expect(urls).toEqual({ a: 'postgres://u:p@h:5432/one?x=y', b2: 'postgres://u@h/two' });
});

test.each([
  ['', 'No shard is given'],
  ['postgres://u:secret@h/one', 'no name before its URL'],
  ['a=postgres://h/one a=postgres://h/two', 'The shard a is given twice'],
  ['A=postgres://u:secret@h/one', 'in lower case'],
  ['a=mysql://u:secret@h/one', 'not for PostgreSQL'],
])('%j is refused, and no password is shown', (text, message) => {
  expect(() => parseShardUrls(text)).toThrow(message);
  try {
    parseShardUrls(text);
  } catch (error) {
    expect(String(error)).not.toContain('secret');
  }
});
