import { expect, test } from '@jest/globals';
import { createMailIds } from './create-mail-ids.js';
import { parseMailId } from './parse-mail-id.js';

test('the ids of one millisecond sort in the order in which they were made, and hold their time', () => {
  const now = new Date('2025-11-20T09:30:05.123Z');
  const createId = createMailIds(() => now);
  const ids = Array.from({ length: 100 }, createId);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids.map(parseMailId))).toEqual(new Set([now.toISOString()]));
});

test('a text that is not an id is not read as one', () => {
  const wrongMonth = '20251320T093005123Z-0000deadbeef';
  const wrongCase = '20251120T093005123Z-0000DEADBEEF';
  for (const text of ['', '.', '../20251120T093005123Z-0000deadbeef', wrongMonth, wrongCase]) {
    expect(parseMailId(text)).toBeNull();
  }
});
