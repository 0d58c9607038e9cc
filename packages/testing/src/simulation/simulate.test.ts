import { describe, expect, test } from '@jest/globals';
import { describeFailure } from './describe-failure.js';
import { formatPlan } from './plan/format-plan.js';
import { MISTAKES } from './mistakes.js';
import { parsePlan } from './plan/parse-plan.js';
import { planOf, type Plan } from './plan/plan.js';
import { reduceList } from './plan/reduce-list.js';
import { simulate } from './simulate.js';

const SEEDS = 200;
/** In so many other worlds each planted mistake shows; most within a few. */
const MOST_SEEDS = 1_000;

test(`every promise is kept in ${SEEDS} worlds, whatever fails, dies, stops or is slow in them`, async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { violation } = await simulate(planOf(seed));
    if (violation !== null) throw new Error((await describeFailure(planOf(seed))).text);
  }
});

test('a seed has one trace, byte for byte, and so has the plan that names all its faults', async () => {
  for (const seed of [3, 7, 11]) {
    const first = await simulate(planOf(seed), { isTraced: true });
    expect(first.trace.length).toBeGreaterThan(20);
    expect(await simulate(planOf(seed), { isTraced: true })).toEqual(first);
    const named: Plan = { seed, ...first.workload, faults: first.faults };
    expect((await simulate(named, { isTraced: true })).trace).toEqual(first.trace);
  }
});

describe('a mistake planted in the store is found, shrunk and shown again:', () => {
  test.each([
    ['settle-without-fence', 'only the owner of the lease writes about its run', 4],
    ['rescue-without-lease', 'a rescue takes expired leases only', 1],
    ['renewal-not-written', 'a handler is told that its lease is lost before another worker may start', 0],
    ['effects-not-recorded', 'whoever begins an effect that has happened is told that it is a repeat', 0],
    [
      'effects-repeated',
      'at most once: an effect that may have happened is not done again, unless a person says so',
      8,
    ],
    ['claim-for-two', 'a claim hands out what it has taken, to one worker', 0],
    ['slot-passed-on-unseen', 'no more run at once than a limit lets', 0],
    ['rescue-without-gates', 'every job ends', 8],
    ['order-gone-on-failure', 'the runs of an order run one at a time, as they were enqueued', 0],
    ['step-not-written', 'a step answers the same in every attempt', 4],
    ['sleep-cut-short', 'nobody wakes up before the time', 0],
    ['signal-not-taken', 'a signal is received once', 0],
    ['woken-not-seen', 'every job ends', 4],
    ['parent-not-woken', 'every job ends', 0],
    ['child-without-key', 'a child is enqueued once', 4],
    ['batch-told-twice', 'a batch tells of each moment once', 0],
    ['batch-not-told', 'a batch tells of all that has come', 0],
    ['batch-misses-retry', 'a batch counts its jobs exactly', 0],
  ])(
    '%s',
    async (name, promise, atMostFaults) => {
      const plant = MISTAKES[name]!;
      const failing = await findFailing(plant);
      const failure = await describeFailure(failing, { plant }, `--plant ${name}`);
      expect(failure.promise).toBe(promise);
      expect(failure.plan.faults!.size).toBeLessThanOrEqual(atMostFaults);
      const [, shown] = /--replay '(.*)'$/.exec(failure.text)!;
      const replayed = await simulate(parsePlan(shown!), { plant });
      expect(replayed.violation).toMatchObject({ promise });
      expect([...replayed.faults]).toEqual([...failure.plan.faults!]);
      // to be made small, a failure is shown in dozens of worlds
    },
    180_000,
  );
});

/** The first seed that finds it, in other worlds than those above. */
async function findFailing(plant: (typeof MISTAKES)[string]): Promise<Plan> {
  for (let seed = 201; seed <= 201 + MOST_SEEDS; seed++)
    if ((await simulate(planOf(seed), { plant })).violation !== null) return planOf(seed);
  throw new Error(`Not found in ${MOST_SEEDS} worlds.`);
}

test('a plan that is formatted and parsed again is the same', () => {
  const plan: Plan = {
    seed: 7,
    workers: 2,
    jobs: [0, 3],
    operations: [],
    faults: new Map([
      ['w1.1/settle#3', 'crash-after'],
      ['client/enqueue#1', 'lose'],
    ]),
  };
  expect(formatPlan(plan)).toBe(
    '7;workers=2;jobs=0,3;operations=;faults=w1.1/settle#3:crash-after,client/enqueue#1:lose',
  );
  expect(parsePlan(formatPlan(plan))).toEqual(plan);
  expect(parsePlan('7')).toEqual(planOf(7));
  expect(() => parsePlan('7;faults=w1.1/settle#3:explode')).toThrow('is not a fault such as w1.1/settle#3:crash-after');
  expect(() => parsePlan('7;moons=1')).toThrow('no part "moons"');
});

test('reduceList keeps only the elements that the failure needs', async () => {
  const items = Array.from({ length: 20 }, (_, index) => index);
  expect(await reduceList(items, async (kept) => kept.includes(3) && kept.includes(17))).toEqual([3, 17]);
  expect(await reduceList(items, async () => true)).toEqual([]);
});
