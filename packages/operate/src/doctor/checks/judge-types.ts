import type { UnservedJobs } from '@duework/queue-core';
import { found, type Finding } from '../findings.js';

/** Types and versions that are due, and that no live worker can run. */
export function judgeTypes(unserved: readonly UnservedJobs[]): Finding[] {
  return unserved.map(({ queue, type, version, waiting, oldestWaitingSeconds, isAtLeast }) =>
    found(
      'type_without_worker',
      `type ${type} version ${version} in the queue ${queue}`,
      `${isAtLeast ? 'At least ' : ''}${waiting} ${type} (version ${version}) wait in the queue ${queue}, the oldest for ${Math.round(oldestWaitingSeconds)} s, and no live worker can run them.`,
      `Start a worker of the queue ${queue} whose code knows version ${version} of ${type}.`,
    ),
  );
}
