import { setTimeout as pause } from 'node:timers/promises';
import { CRASH_POINTS, WAIT_CRASH_POINTS } from '@duework/queue-core';
import type { Fault } from './fault.js';

const LIMIT_MS = 8_000;

/**
 * A worker dies between two steps: before or after an effect, a step or a wait, before a settlement, between its commit and its answer.
 */
export const dieAtPoint: Fault = {
  name: 'die-at-point',
  title: 'a worker kills itself between two steps of an attempt',
  async inject({ workers, random, note }) {
    const { name, process, isPooled } = random.pick(workers.running());
    const point = random.pick([...CRASH_POINTS, ...WAIT_CRASH_POINTS]);
    process.expectEnd();
    process.send('dieAt', { point });
    const ended = await Promise.race([process.exited, pause(LIMIT_MS)]);
    note('fault.begun', { worker: name, point, isPooled, hasHappened: ended !== undefined });
    if (ended === undefined) process.send('dieAt', { point: null });
  },
};
