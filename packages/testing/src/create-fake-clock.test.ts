import { describe, expect, test } from '@jest/globals';
import { pause } from '@duework/queue-core/internals';
import { createFakeClock } from './create-fake-clock.js';

describe('the fake clock', () => {
  test('stands still until it is moved, and then by that much', async () => {
    const clock = createFakeClock({ startAt: new Date('2026-03-29T00:30:00Z') });
    expect([clock.now().toISOString(), clock.monotonicMs()]).toEqual(['2026-03-29T00:30:00.000Z', 0]);
    await clock.advance(3_600_000.5);
    expect([clock.now().toISOString(), clock.monotonicMs()]).toEqual(['2026-03-29T01:30:00.000Z', 3_600_000.5]);
  });

  test('fires timers in the order of their moments, and at them', async () => {
    const clock = createFakeClock();
    const fired: string[] = [];
    const note = (name: string) => () => fired.push(`${name} at ${clock.monotonicMs()}`);
    for (const [name, ms] of [
      ['c', 30],
      ['a', 10],
      ['b', 20],
      ['b again', 20],
      ['never', 1_000],
    ] as const)
      clock.after(ms, note(name));
    clock.after(15, note('cancelled'))();
    expect(clock.nextTimerMs()).toBe(10);
    await clock.advance(999);
    expect(fired).toEqual(['a at 10', 'b at 20', 'b again at 20', 'c at 30']);
    expect(clock.nextTimerMs()).toBe(1);
  });

  test('fires timers that are set on the way, after the work that the timer before it set off', async () => {
    const clock = createFakeClock();
    const seen: string[] = [];
    const tick = async (): Promise<void> => {
      for (let n = 1; n <= 3; n++) {
        await pause(clock, 10);
        await new Promise((resolve) => setImmediate(resolve));
        seen.push(`tick ${n} at ${clock.monotonicMs()}`);
      }
    };
    void tick();
    clock.after(25, () => seen.push('between'));
    await clock.advance(100);
    expect(seen).toEqual(['tick 1 at 10', 'tick 2 at 20', 'between', 'tick 3 at 30']);
  });

  test('adds up two moves at once', async () => {
    const clock = createFakeClock();
    await Promise.all([clock.advance(10), clock.advance(5)]);
    expect(clock.monotonicMs()).toBe(15);
  });

  test('keeps the order of ten thousand timers', async () => {
    const clock = createFakeClock();
    const fired: number[] = [];
    const cancels = Array.from({ length: 10_000 }, (_, n) =>
      clock.after((n * 7_919) % 10_007, () => fired.push(clock.monotonicMs())),
    );
    for (let n = 0; n < cancels.length; n += 2) cancels[n]!();
    await clock.advance(10_007);
    expect(fired).toHaveLength(5_000);
    expect(fired).toEqual([...fired].sort((a, b) => a - b));
  });
});
