import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../../scripts/lib/paths.mjs';

const { CRASH_POINTS } = await import(join(root, 'packages/queue-core/dist/index.js'));
const LIMIT_MS = 8_000;

/** The same between two steps: before or after an effect, before a settlement, between its commit and its answer. */
export const dieAtPoint = {
  name: 'die-at-point',
  title: 'a worker kills itself between two steps of an attempt',
  async inject({ workers, random, note }) {
    const { worker, isPooled } = random.pick(workers.places);
    const point = random.pick(CRASH_POINTS);
    worker.expectEnd();
    worker.tell('dieAt', { point });
    const ended = await Promise.race([worker.exited, pause(LIMIT_MS)]);
    note('fault.begun', { worker: worker.workerName, point, isPooled, isReached: ended !== undefined });
    if (ended === undefined) worker.tell('dieAt', { point: null });
  },
};
