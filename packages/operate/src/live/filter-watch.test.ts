import { readFilter } from '../search/read-filter.js';
import { formatFilter } from '@duework/filter';
import { cancelJob, type Queryable } from '@duework/queue-core';
import { recogniseClient } from '@duework/sql';
import type { ListedJob } from '@duework/queue-core/internals';
import { createFakeClock } from '@duework/testing';
import { beforeEach, expect, test } from '@jest/globals';
import { useOperated } from '../testing/use-operated.js';
import { FilterWatch } from './filter-watch.js';
import type { PageEvent, PageListener, PageView } from './followed-page.js';
import { readFollowedPage } from './read-followed-page.js';

const operated = useOperated();
const { wait, die } = operated;
const whole: PageView = { name: 'whole', show: (job) => job };
const status: PageView = { name: 'status', show: ({ id, status }) => ({ id, status }) };
const waiting = readFilter('type:echo status:queued');

let asked = 0;
/** How long each look takes, on the clock of the test. */
let tookMs = 0;
let isAway = false;
const errors: unknown[] = [];
beforeEach(() => {
  asked = tookMs = errors.length = 0;
  isAway = false;
});

/** A watch on a clock that only the test moves. */
function openWatch() {
  const clock = createFakeClock();
  const client = recogniseClient(operated.db());
  const db = new Proxy(client, {
    get(target, name) {
      if (name !== '$queryRaw') return Reflect.get(target, name) as unknown;
      return async (...given: Parameters<typeof client.$queryRaw>) => {
        asked += 1;
        if (tookMs > 0) await clock.advance(tookMs);
        if (isAway) throw new Error('away');
        return target.$queryRaw(...given);
      };
    },
  }) as Queryable;
  const watch = new FilterWatch({
    readPage: (filter) => readFollowedPage(db, filter),
    clock,
    everyMs: 500,
    maxFilters: 3,
    maxOfOne: 2,
    onError: (error) => errors.push(error),
  });
  return {
    watch,
    clock,
  };
}

/** Keeps what it was told; `next` waits for one more. */
function listen(): { told: PageEvent[]; tell: PageListener; next: () => Promise<PageEvent> } {
  const told: PageEvent[] = [];
  let go = (): void => {};
  let count = 0;
  return {
    told,
    tell: (event) => (told.push(event), go()),
    next: async () => {
      count += 1;
      while (told.length < count) await new Promise<void>((resolve) => (go = resolve));
      return told[count - 1]!;
    },
  };
}

const idsOf = ({ jobs }: PageEvent): string[] => (jobs as ListedJob[]).map(({ id }) => id);

test('a thousand followers of a filter are told its page and each change, by one statement for all of them', async () => {
  const ids = (await wait(3)).reverse();
  const { watch, clock } = openWatch();
  await watch.look(waiting, 'ana');
  const followers = Array.from({ length: 1_000 }, listen);
  for (const { tell } of followers) watch.follow(waiting, 'ana', whole, null, tell);
  for (const { told } of followers) expect(told).toMatchObject([{ kind: 'page', ids, isComplete: true, hint: null }]);
  expect(idsOf(followers[0]!.told[0]!)).toEqual(ids);
  expect(asked).toBe(1);

  const [added] = await wait(1, 9);
  await cancelJob(operated.db(), ids[1]!);
  await clock.advance(500);
  const changes = await Promise.all(followers.map(async ({ next }) => (await next(), await next())));
  expect(asked).toBe(2);
  const change = changes[0]!;
  expect(change).toMatchObject({ kind: 'change', ids: [added, ids[0], ids[2]] });
  expect(idsOf(change)).toEqual([added]);
  for (const other of changes) expect(other).toBe(change);
});

test('a job of a page has neither what may be large nor what a heartbeat changes', async () => {
  await wait(1);
  const { watch } = openWatch();
  const { tell, next } = listen();
  watch.follow(waiting, 'ana', whole, null, tell);
  const [job] = (await next()).jobs;
  expect(job).toMatchObject({ type: 'echo', status: 'queued', runAt: expect.any(Date), finishedAt: null });
  for (const field of ['payload', 'result', 'meta', 'gates', 'lockedUntil']) expect(job).not.toHaveProperty(field);
});

test('who comes again is told nothing where the page is what was seen, in another process, too', async () => {
  await wait(2);
  const first = openWatch();
  await first.watch.look(waiting, 'ana');
  const before = listen();
  first.watch.follow(waiting, 'ana', whole, null, before.tell)();
  const seen = before.told[0]!.revision;

  const second = openWatch();
  const again = listen();
  second.watch.follow(waiting, 'ana', whole, seen, again.tell);
  await second.watch.look(waiting, 'ana');
  expect(again.told).toEqual([]);
  const [added] = await wait(1, 9);
  await second.clock.advance(500);
  expect(await again.next()).toMatchObject({ kind: 'change', ids: [added, ...before.told[0]!.ids] });

  const late = listen();
  second.watch.follow(waiting, 'ana', whole, seen, late.tell);
  expect(late.told).toMatchObject([{ kind: 'page', ids: [added, ...before.told[0]!.ids] }]);
});

test('a view gets only changes of what it shows', async () => {
  await wait(1);
  const { watch, clock } = openWatch();
  await watch.look(waiting, 'ana');
  const [all, few] = [listen(), listen()];
  watch.follow(waiting, 'ana', whole, null, all.tell);
  watch.follow(waiting, 'ana', status, null, few.tell);
  expect(few.told[0]!.jobs).toEqual([{ id: expect.any(String), status: 'queued' }]);
  await operated.db().$executeRaw`UPDATE duework.job_runs SET priority = 1`;
  await clock.advance(500);
  await all.next();
  expect((await all.next()).jobs).toMatchObject([{ priority: 1 }]);
  expect(few.told).toHaveLength(1);
});

test('a filter is one filter however it is written, and is asked about twice a second at the most', async () => {
  const { watch, clock } = openWatch();
  for (const text of ['type:echo status:dead', ' status:dead  type:echo ']) {
    await watch.look(readFilter(text), 'ana');
    watch.follow(readFilter(text), 'ana', whole, null, () => {});
  }
  for (let n = 0; n < 10; n++) {
    const stop = watch.follow(readFilter('status:dead type:echo'), 'ana', whole, null, () => {});
    await clock.advance(99);
    stop();
  }
  expect(asked).toBe(2);
});

test('a filter whose look takes long is looked at less often', async () => {
  const { watch, clock } = openWatch();
  tookMs = 150;
  const { tell } = listen();
  watch.follow(waiting, 'ana', whole, null, tell);
  await watch.look(waiting, 'ana');
  tookMs = 0;
  await clock.advance(1_300);
  expect(asked).toBe(1);
  await clock.advance(100);
  expect(asked).toBe(2);
});

test('after a look that hung for a minute the next one is not long in coming', async () => {
  const { watch, clock } = openWatch();
  tookMs = 60_000;
  const { tell } = listen();
  watch.follow(waiting, 'ana', whole, null, tell);
  await watch.look(waiting, 'ana');
  tookMs = 0;
  await clock.advance(10_100);
  expect(asked).toBe(2);
});

test('nobody asks the database while nobody follows, nor for whoever comes back at once', async () => {
  const { watch, clock } = openWatch();
  const { tell } = listen();
  const stop = watch.follow(waiting, 'ana', whole, null, tell);
  await watch.look(waiting, 'ana');
  stop();
  watch.follow(waiting, 'ana', whole, null, tell)();
  await clock.advance(60_000);
  expect(asked).toBe(1);
  await watch.look(waiting, 'ana');
  expect(asked).toBe(2);
});

test('one follower is the first of no more than so many filters, and all together follow no more than so many', async () => {
  const { watch, clock } = openWatch();
  const [own, third, fourth] = [
    [waiting, readFilter('status:dead')],
    readFilter('status:failed'),
    readFilter('type:a'),
  ];
  const stops = own.map((filter) => watch.follow(filter, 'ana', whole, null, () => {}));
  expect([watch.isFull(third, 'ana'), watch.isFull(third, 'bob')]).toEqual(['one', null]);
  // a filter that is followed costs nothing more, whoever was the first
  expect([watch.isFull(waiting, 'ana'), watch.isFull(waiting, 'bob')]).toEqual([null, null]);
  stops.push(watch.follow(third, 'bob', whole, null, () => {}));
  expect([watch.isFull(fourth, 'ana'), watch.isFull(fourth, 'bob')]).toEqual(['all', 'all']);
  for (const filter of [...own, third]) await watch.look(filter, 'ana');
  for (const stop of stops) stop();
  await clock.advance(1_000);
  expect(watch.isFull(fourth, 'ana')).toBe(null);
});

test('while looks fail newcomers are told so, and who follows is told what has changed when they go on', async () => {
  await die(1);
  const dead = readFilter('status:dead');
  const { watch, clock } = openWatch();
  const { tell, told, next } = listen();
  watch.follow(dead, 'ana', whole, null, tell);
  await next();
  isAway = true;
  await clock.advance(500);
  await expect(watch.look(dead, 'ana')).rejects.toThrow('away');
  await expect(watch.look(waiting, 'ana')).rejects.toThrow('away');
  expect(errors.length).toBeGreaterThanOrEqual(1);
  const more = await die(1, 'another');
  isAway = false;
  await clock.advance(500);
  expect(idsOf(await next())).toEqual(more);
  expect(told).toHaveLength(2);
});

/** A watch whose looks at slow filters, of the type `slow`, end when the test says so. */
function openHeld() {
  const clock = createFakeClock();
  const held: { readonly priority: string; readonly end: () => void }[] = [];
  const watch = new FilterWatch({
    readPage: async (filter) => {
      const text = formatFilter(filter);
      if (text.includes('slow')) await new Promise<void>((end) => held.push({ priority: text, end }));
      return { jobs: [], nextCursor: null, isComplete: true, hint: null };
    },
    clock,
    everyMs: 500,
    maxFilters: 200,
    maxOfOne: 20,
    onError: (error) => errors.push(error),
  });
  const follow = (text: string, who: string): void => void watch.follow(readFilter(text), who, whole, null, () => {});
  return { watch, clock, held, follow };
}

test('one follower has one look at a time, and whoever comes next is told its page meanwhile', async () => {
  const { watch, held, follow } = openHeld();
  for (let n = 0; n < 20; n++) follow(`type:slow priority:${n}`, 'ana');
  await watch.look(readFilter('type:cb'), 'bob');
  await watch.look(readFilter('type:other'), 'carl');
  expect(held).toHaveLength(1);
});

test('followers take turns: nobody comes second before everybody has come first', async () => {
  const { watch, held, follow } = openHeld();
  for (const who of ['ana', 'bob']) for (let n = 0; n < 10; n++) follow(`type:slow priority:${n} key:${who}`, who);
  const last = watch.look(readFilter('type:cb'), 'carl');
  await Promise.resolve();
  expect(held.map(({ priority }) => /key:\w+/.exec(priority)![0])).toEqual(['key:ana', 'key:bob']);
  // as soon as one of them ends
  held[0]!.end();
  await last;
});

test('filters that are known to be slow wait for each other, and those that are not do not wait for them', async () => {
  const { watch, clock, held, follow } = openHeld();
  for (const who of ['ana', 'bob', 'carl']) {
    follow(`type:slow key:${who}`, who);
    while (held.length === 0) await Promise.resolve();
    await clock.advance(200);
    held.pop()!.end();
    await watch.look(readFilter(`type:slow key:${who}`), who);
  }
  await clock.advance(10_000);
  // of the three, which are all due
  expect(held).toHaveLength(1);
  await watch.look(readFilter('type:cb'), 'dan');
  await watch.look(readFilter('type:cb'), 'eve');
  expect(held).toHaveLength(1);
});
