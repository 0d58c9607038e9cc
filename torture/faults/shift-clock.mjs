import { setTimeout as pause } from 'node:timers/promises';

const HOUR_MS = 3_600_000;

/** A worker's date is an hour off for a while, in one direction or the other. */
export const shiftClock = {
  name: 'shift-clock',
  title: "a worker's clock is an hour off",
  async inject({ workers, random, note }) {
    const { worker } = random.pick(workers.places);
    const ms = random.pick([HOUR_MS, -HOUR_MS]);
    note('fault.begun', { worker: worker.workerName, ms });
    worker.tell('shiftClock', { ms });
    await pause(4_000);
    worker.tell('shiftClock', { ms: 0 });
  },
};
