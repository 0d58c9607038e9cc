import { ofKind } from '../observer/history-events.js';
import type { Check } from './check.js';

/** No process ends that was not told to stop. */
export const nobodyExits: Check = {
  promise: 'no process exits by itself, whatever happens to the database',
  needs: 'any run',
  check({ events }) {
    const failedStarts = new Set(ofKind(events, 'start.failed').map(({ by }) => by));
    const ends = ofKind(events, 'worker.ended').filter(({ isTold, worker }) => !isTold && !failedStarts.has(worker));
    const falls = ofKind(events, 'person.fell');
    const fallen = [
      ...ends.map((end) => ({ name: end.worker, ...end })),
      ...falls.map((fall) => ({ name: fall.person, ...fall })),
    ];
    return {
      counted: ofKind(events, 'worker.spawned', 'person.begun').length,
      broken: fallen.map(
        ({ name, code, signal, said }) => `${name} ended (${signal ?? `exit code ${code}`}): ${said.join(' | ')}`,
      ),
      remark: failedStarts.size > 0 ? `${failedStarts.size} could not start while the database was away` : '',
    };
  },
};
