import { expect, test } from '@jest/globals';
import { findOwnFile } from './find-own-file.js';

test('a file beside the code is found', () => {
  expect(findOwnFile('./find-own-file.ts', import.meta.url).pathname).toMatch(/\/find-own-file\.ts$/);
});

test.each([
  ['a bundler has moved the code', './dist/lease-thread.js', import.meta.url],
  ['a bundler has taken import.meta away', './lease-thread.js', undefined],
])('a worker whose files are not beside it says what to do: %s', (_, path, base) => {
  expect(() => findOwnFile(path, base)).toThrow(
    expect.objectContaining({ code: 'bundled_away', message: expect.stringContaining('--external:duework') }),
  );
});
