import { expect, test } from '@jest/globals';
import { FairTurns } from './fair-turns.js';

const [ana, bob, carl] = ['ana', 'bob', 'carl'].map((id) => ({ id, name: `key:${id}` })) as [Who, Who, Who];
type Who = { readonly id: string; readonly name: string };

/** Notes who has had a turn, in order. */
function open() {
  const turns = new FairTurns(4, 2);
  const had: string[] = [];
  const ends: (() => void)[] = [];
  const take = (who: Who, signal?: AbortSignal) =>
    turns.take(who, signal).then((end) => {
      had.push(who.id);
      ends.push(end);
    });
  return { turns, had, ends, take };
}
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

test('one principal leaves turns to the others, however much it asks', async () => {
  const { had, take } = open();
  for (let n = 0; n < 20; n++) void take(ana);
  await take(bob);
  await take(carl);
  expect(had).toEqual(['ana', 'ana', 'bob', 'carl']);
});

test('whoever has the fewest in hand is next, then whoever came first', async () => {
  const { had, ends, take } = open();
  for (const who of [ana, ana, bob, bob]) await take(who);
  for (const who of [ana, ana, bob, carl]) void take(who);
  ends[0]!();
  await settle();
  expect(had.at(-1)).toBe('carl');
  ends[1]!();
  await settle();
  expect(had.at(-1)).toBe('ana');
  ends[1]!();
  await settle();
  expect(had).toHaveLength(6);
});

test('whoever leaves waits no longer, and takes no turn', async () => {
  const { turns, had, ends, take } = open();
  await take(ana);
  await take(ana);
  const gone = new AbortController();
  const left = turns.take(ana, gone.signal);
  void take(ana);
  gone.abort();
  (await left)();
  ends[0]!();
  await settle();
  expect(had).toEqual(['ana', 'ana', 'ana']);
});

test('more than 200 questions of one principal are refused while they wait, and of all 2,000', async () => {
  const { turns, take } = open();
  for (let n = 0; n < 202; n++) void take(ana);
  await expect(turns.take(ana)).rejects.toMatchObject({ code: 'rate_limited', headers: { 'Retry-After': '1' } });
  await take(bob);
  for (let n = 0; n < 1_801; n++) void turns.take({ id: String(n), name: '' });
  await expect(turns.take(carl)).rejects.toMatchObject({ code: 'overloaded' });
});
