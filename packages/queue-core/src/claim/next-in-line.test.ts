import { defineCatalog, defineJob, type JobContract } from '@duework/contracts';
import { beforeEach, expect, test } from '@jest/globals';
import { createFakeClock, type FakeClock } from '@duework/testing';
import { z } from 'zod';
import type { ClaimedRun } from '../ports/runs.js';
import { Alarm } from '../wake/alarm.js';
import { OwnedRun } from './owned-run.js';
import { OwnedRuns } from './owned-runs.js';
import { NextInLine } from './next-in-line.js';
import { SessionBrake } from './claim-brakes.js';

const payload = z.object({ account: z.int() });
const ordered = defineJob({ type: 'ordered', payload, order: 'account' });
const plain = defineJob({ type: 'plain', payload });
const collecting = defineJob({ type: 'collecting', payload, limits: [{ max: 1 }], collect: { max: 2, wait: '1s' } });
const turned = defineJob({ type: 'turned', payload, tenant: 'account' });
const catalog = defineCatalog([ordered, plain, collecting]);

let clock: FakeClock;
let owned: OwnedRuns;
let session: SessionBrake;
let next: NextInLine;
let alarm: Alarm;

function makeNext(contracts: readonly JobContract[]): NextInLine {
  const contractOf = new Map(contracts.map((contract) => [contract.type, contract]));
  return new NextInLine({ owned, session, clock, alarm, name: 'w', queues: ['default'], crashHook: null, contractOf });
}
/** So many handlers run, and took no time lately. */
function occupy(slots: number): void {
  for (let n = 0; n < slots; n++) {
    owned.add(new OwnedRun({ id: `${n}`, fence: 1 } as ClaimedRun, ordered, 0));
    owned.startNext();
  }
}

beforeEach(() => {
  clock = createFakeClock();
  owned = new OwnedRuns(3, 100);
  session = new SessionBrake();
  alarm = new Alarm();
  next = makeNext(catalog);
  occupy(1);
  next.learn(clock.monotonicMs(), true);
});

test('a settlement may take as many runs as slots are free, of types with gates that do not collect', () => {
  const taking = next.ask()!;
  expect(taking).toMatchObject({ worker: 'w', queues: ['default'], limit: 2 });
  expect([...taking.contracts.keys()]).toEqual(['ordered']);
  // the slots are asked for: neither a claim nor another settlement asks for them again
  expect(next.ask()).toBeUndefined();
  expect(owned.room(owned.asked)).toBe(0);
  void next.receive(taking);
  expect(next.ask()).toMatchObject({ limit: 2 });
});

test('what others wait for is kept waiting no longer than 50 ms: then a claim decides', async () => {
  await clock.advance(50);
  const taking = next.ask()!;
  expect(taking).toBeDefined();
  void next.receive(taking);
  await clock.advance(1);
  expect(next.ask()).toBeUndefined();
  next.learn(clock.monotonicMs(), true);
  expect(next.ask()).toBeDefined();
});

test('while a key goes on, the worker looks for others in time, so that a key of which nobody is in the way need not wait', async () => {
  await clock.advance(25);
  void next.receive(next.ask()!);
  expect(alarm.take().look).toBeNull();
  await clock.advance(1);
  for (let n = 0; n < 2; n++) void next.receive(next.ask()!);
  expect(alarm.mark()).toBe(1);
  next.learn(clock.monotonicMs(), true);
  await clock.advance(26);
  void next.receive(next.ask()!);
  expect(alarm.mark()).toBe(2);
});

test.each([
  ['the last claim has not found all that is due', () => next.learn(clock.monotonicMs(), false)],
  [
    'a run waits in the buffer for each free slot',
    () => {
      for (const id of ['7', '8']) owned.add(new OwnedRun({ id, fence: 1 } as ClaimedRun, ordered, 0));
    },
  ],
  ['no slot is free', () => occupy(2)],
  ['a claim on its way has asked for all there is room for', () => owned.ask(owned.room())],
  ['its session is away', () => session.goAway()],
  ['it stops', () => next.stop()],
  [
    'it takes turns for tenants',
    () => {
      next = makeNext([ordered, turned]);
      next.learn(clock.monotonicMs(), true);
    },
  ],
  [
    'none of its types has gates',
    () => {
      next = makeNext([plain]);
      next.learn(clock.monotonicMs(), true);
    },
  ],
])('a settlement takes nothing where %s', (_why, happens) => {
  happens();
  expect(next.ask()).toBeUndefined();
});
