import { expect, test } from '@jest/globals';
import { createFakeClock } from '@duework/testing';
import { parseHint } from './take-queues-to-wake.js';
import { PassOn } from './listener-group.js';

function open() {
  const clock = createFakeClock();
  const sent: string[] = [];
  const passOn = new PassOn(clock, async (_text, values) => {
    sent.push(String(values![0]));
    return [];
  });
  return { clock, sent, passOn };
}

const share = { runs: 3, isLater: false, number: 5, passes: 0 };

test('a wake-up is passed on to another one by chance twice, and then to everybody', () => {
  const { sent, passOn } = open();
  for (const passes of [0, 1, 2]) passOn.pass('default', { ...share, passes });
  expect(sent.map((hint) => parseHint(hint).share)).toMatchObject([{ runs: 1, passes: 1 }, { runs: 1, passes: 2 }, {}]);
  expect(sent[2]).toBe('default');
});

test('while everybody who was woken still polls often, nothing is passed on', async () => {
  const { clock, sent, passOn } = open();
  passOn.heardAll('default');
  passOn.pass('default', share);
  expect(sent).toEqual([]);
  passOn.pass('other', share);
  await clock.advance(100);
  passOn.pass('default', share);
  expect(sent).toHaveLength(2);
});
