import type { DueworkRole } from './duework-roles.js';

/** What a role may be asked to do, and which role of ours may. The owner of the schema migrates, and no role of ours. */
export const ABILITIES = {
  enqueue: 'duework_app',
  work: 'duework_worker',
  operate: 'duework_operator',
  read: 'duework_reader',
  migrate: null,
} as const satisfies Readonly<Record<string, DueworkRole | null>>;
export type Ability = keyof typeof ABILITIES;
