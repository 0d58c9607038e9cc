import { ofKind } from '../observer/history-events.js';
import type { Check } from './check.js';

/** A warning of Node or of a library says that something is used as it is not meant to be. */
export const nobodyWarns: Check = {
  promise: 'no process prints a warning',
  needs: 'any run',
  check: ({ events, warnings }) => ({
    counted: ofKind(events, 'worker.spawned', 'person.begun').length,
    broken: warnings.map(({ by, line }) => `${by} warned: ${line}`),
  }),
};
