import { defineJob } from '@duework/contracts';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { OwnedRun } from '../claim/owned-run.js';
import { RUN_PHASES, type RunPhase } from './run-phase.js';

const PHASES = Object.keys(RUN_PHASES) as RunPhase[];
const contract = defineJob({ type: 'work', payload: z.object({}) });

/** The shortest way from the beginning to `goal`. */
function wayTo(goal: RunPhase): RunPhase[] {
  const ways: RunPhase[][] = [[]];
  for (const way of ways) {
    const at = way.at(-1) ?? 'buffered';
    if (at === goal) return way;
    ways.push(...RUN_PHASES[at].filter((next) => !way.includes(next)).map((next) => [...way, next]));
  }
  throw new Error(`no way leads to ${goal}`);
}

function heldIn(phase: RunPhase): OwnedRun {
  const owned = new OwnedRun({ id: '1', fence: 1 } as OwnedRun['run'], contract, 0);
  for (const next of wayTo(phase)) expect(owned.enter(next)).toBe(true);
  return owned;
}

test.each(PHASES.flatMap((from) => PHASES.map((to) => [from, to] as const)))(
  'a run that is %s goes on to %s where the table says so, and is left alone otherwise',
  (from, to) => {
    const owned = heldIn(from);
    const isAllowed = RUN_PHASES[from].includes(to);
    expect(owned.enter(to)).toBe(isAllowed);
    expect(owned.phase).toBe(isAllowed ? to : from);
  },
);

test('every phase can still lead to the end, and no phase follows it', () => {
  for (const phase of PHASES) if (phase !== 'ended') expect(RUN_PHASES[phase].length).toBeGreaterThan(0);
  expect(RUN_PHASES.ended).toEqual([]);
  expect(PHASES.filter((phase) => RUN_PHASES[phase].includes('ended'))).toContain('settling');
});

test('only one settlement is ever begun: a run that is settling or has ended begins no other', () => {
  expect(heldIn('settling').enter('settling')).toBe(false);
  expect(heldIn('ended').enter('settling')).toBe(false);
});
