import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from './fault.js';

const HOUR_MS = 3_600_000;
const SHIFTED_MS = 4_000;

/** A worker's date is an hour off for a while, in one direction or the other. */
export const shiftClock: Fault = {
  name: 'shift-clock',
  title: "a worker's clock is an hour off",
  async inject({ workers, random, note }) {
    const { name, process } = random.pick(workers.running());
    const ms = random.pick([HOUR_MS, -HOUR_MS]);
    note('fault.begun', { worker: name, ms });
    process.send('shiftClock', { ms });
    await pause(SHIFTED_MS);
    process.send('shiftClock', { ms: 0 });
  },
};
