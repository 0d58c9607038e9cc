import { expect, test } from '@jest/globals';
import { createFakeClock } from '@duework/testing';
import { Alarm, SpareLook } from './alarm.js';

test('a spare looks every 2 s at the most, and after 10 ms again where the last look has found something', async () => {
  const [clock, alarm] = [createFakeClock(), new Alarm()];
  const spare = new SpareLook(clock, alarm);
  let doubts = 0;
  const planned = async (ms: number): Promise<string | null> => {
    spare.plan(() => doubts++);
    await clock.advance(ms);
    return alarm.take().look;
  };
  expect(await planned(9)).toBe(null);
  expect(await planned(1)).toBe('spare');
  expect(await planned(1_999)).toBe(null);
  expect(await planned(1)).toBe('spare');
  spare.found();
  expect(doubts).toBe(1);
  expect(await planned(10)).toBe('spare');
});
