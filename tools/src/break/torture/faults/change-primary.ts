import type { Fault } from './fault.js';

/** The machine of the primary dies, or hangs without a word to anybody, and a standby takes over. */
export const changePrimary: Fault = {
  name: 'change-primary',
  title: 'the primary dies or hangs, and a standby takes over',
  isSolitary: true,
  isLoud: true,
  missing: ({ postgres }) => (postgres.changePrimary === undefined ? 'it takes --replicas 2' : null),
  async inject({ postgres, random, note }) {
    const mode = random.pick(['kill', 'hang'] as const);
    note('fault.begun', { mode });
    await postgres.changePrimary?.(mode);
    note('database.up', {});
    await postgres.rebuildOld?.();
  },
};
