import { expect, test } from '@jest/globals';
import { watchPhrase } from './watch-phrase.js';

test('a phrase is found, even when it comes in pieces and among other words', () => {
  const watch = watchPhrase('has been force exited');
  for (const piece of ['A worker process has been', ' force', ' exi']) watch.take(piece);
  expect(watch.isSeen).toBe(false);
  watch.take('ted. This is likely');
  watch.take('the end');
  expect(watch.isSeen).toBe(true);
});
