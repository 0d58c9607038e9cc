import { expect, test } from '@jest/globals';
import { systemClock as clock } from '@duework/queue-core';
import { createProbe } from './create-probe.js';

test('a probe repeats its answer for a while, and waits for a question that hangs only so long', async () => {
  let asked = 0;
  let answer: (value: number) => void = () => {};
  const ask = (): Promise<number> => {
    asked++;
    return asked === 1 ? Promise.resolve(1) : new Promise((resolve) => (answer = resolve));
  };
  let nowMs = 0;
  const probe = createProbe(ask, { freshMs: 1_000, limitMs: 20, clock: { ...clock, monotonicMs: () => nowMs } });
  expect(await probe()).toEqual({ isUp: true, value: 1 });
  nowMs = 999;
  expect(await probe()).toEqual({ isUp: true, value: 1 });
  expect(asked).toBe(1);
  nowMs = 1_000;
  expect(await probe()).toEqual({ isUp: false });
  expect(await probe()).toEqual({ isUp: false });
  expect(asked).toBe(2);
  const late = probe();
  answer(2);
  expect(await late).toEqual({ isUp: true, value: 2 });
});

test('a probe that fails says so, and the next call asks again', async () => {
  let isDown = true;
  const probe = createProbe(async () => (isDown ? Promise.reject(new Error('down')) : 'up'), {
    freshMs: 0,
    limitMs: 1_000,
    clock,
  });
  expect(await probe()).toEqual({ isUp: false });
  isDown = false;
  expect(await probe()).toEqual({ isUp: true, value: 'up' });
});
