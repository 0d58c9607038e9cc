import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from './fault.js';

const FULL_MS = 4_000;

/** The disk is full, for rows and for WAL; then there is room again, and the server is started if it fell. */
export const fillDisk: Fault = {
  name: 'fill-disk',
  title: "the database's disk is full",
  isSolitary: true,
  isLoud: true,
  missing: ({ postgres }) => (postgres.disk === null ? 'a small file system of its own takes root on Linux' : null),
  async inject({ postgres, note }) {
    note('fault.begun', { ms: FULL_MS });
    postgres.disk?.fill();
    await pause(FULL_MS);
    postgres.disk?.free();
    await postgres.startAgain();
    note('database.up', {});
  },
};
