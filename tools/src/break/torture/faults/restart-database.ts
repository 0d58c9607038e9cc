import type { Fault } from './fault.js';

/** The server goes away, with an orderly end of its sessions or without one, for up to three seconds. */
export const restartDatabase: Fault = {
  name: 'restart-database',
  title: 'the database restarts (fast or immediate)',
  isSolitary: true,
  isLoud: true,
  async inject({ postgres, random, note }) {
    const mode = random.pick(['fast', 'immediate'] as const);
    const downMs = random.between(0, 3_000);
    note('fault.begun', { mode, downMs });
    await postgres.restart(mode, downMs);
    note('database.up', {});
  },
};
