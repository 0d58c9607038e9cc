import { describe, expect, test } from '@jest/globals';
import { waitUntil } from '../testing/wait-until.js';
import { ShardGate } from './shard-gate.js';

const never = (): Promise<never> => new Promise(() => {});

describe('a shard that hangs', () => {
  test('is not asked any more, and looked at a few times, however many ask for it', async () => {
    let looks = 0;
    let asked = 0;
    const gate = new ShardGate(() => (looks++, never()));
    const work = () => (asked++, never());
    expect(await gate.ask(work, 20)).toBe('too_slow');
    await waitUntil('it is known', () => gate.away !== null);
    const answers = await Promise.all(Array.from({ length: 200 }, () => gate.ask(work, 20)));
    expect(new Set(answers)).toEqual(new Set(['too_slow']));
    expect(asked).toBe(1);
    expect(looks).toBeLessThanOrEqual(2);
  });

  test('is asked again as soon as it answers a look, also one that comes late', async () => {
    let answer = (): void => {};
    const told: (string | null)[] = [];
    const gate = new ShardGate(
      () => new Promise<void>((resolve) => (answer = resolve)),
      (away) => told.push(away?.problem ?? null),
    );
    expect(await gate.ask(never, null)).toBe('too_slow');
    expect(gate.away).toMatchObject({ problem: 'too_slow', since: expect.any(Date) });
    answer();
    await waitUntil('it answers', () => gate.away === null);
    expect(await gate.ask(async () => 'x', 1_000)).toEqual({ answer: 'x' });
    expect(told).toEqual(['too_slow', null]);
  });
});

test('a shard that is followed is looked at without being asked', async () => {
  let isUp = true;
  const gate = new ShardGate(async () => {
    if (!isUp) throw new Error('refused');
  });
  const told: (string | null)[] = [];
  const leave = gate.follow((away) => told.push(away?.problem ?? null));
  isUp = false;
  await waitUntil('it is known', () => told.length === 1);
  isUp = true;
  await waitUntil('it is back', () => told.length === 2);
  expect(told).toEqual(['database_away', null]);
  leave();
});

test('a shard whose looks fail is away, and is known to be', async () => {
  let isUp = false;
  const gate = new ShardGate(async () => {
    if (!isUp) throw new Error('refused');
  });
  await gate.suspect();
  expect(await gate.ask(async () => 'x', 1_000)).toBe('database_away');
  isUp = true;
  await waitUntil('it answers', () => gate.isUp());
});

test('requests that were given up are bounded, and begin again as they end', async () => {
  const ends: (() => void)[] = [];
  const gate = new ShardGate(async () => {});
  const work = () => new Promise<string>((resolve) => ends.push(() => resolve('late')));
  await Promise.all(Array.from({ length: 20 }, () => gate.ask(work, 10)));
  expect(ends).toHaveLength(20);
  expect(await gate.ask(work, 10)).toBe('too_slow');
  expect(ends).toHaveLength(20);
  ends[0]!();
  await waitUntil('there is room', async () => (await gate.ask(async () => 'x', 10)) !== 'too_slow');
});

test('a request may take its time while its shard answers looks', async () => {
  let looks = 0;
  const gate = new ShardGate(async () => void looks++);
  const slow = gate.ask(() => new Promise<string>((resolve) => setTimeout(() => resolve('x'), 2_200)), null);
  expect(await slow).toEqual({ answer: 'x' });
  expect(looks).toBeGreaterThan(0);
  expect(looks).toBeLessThanOrEqual(3);
});
