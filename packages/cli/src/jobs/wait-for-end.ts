import type { Job } from '@duework/queue-core';
import { pause } from '../output/pause.js';
import type { Operations } from '../operations/operations.js';

const LOOK_MS = 500;

/** Looks at a job until it has succeeded, is dead or is cancelled, and returns it then. */
export async function waitForEnd(operations: Pick<Operations, 'getJob'>, id: string): Promise<Job> {
  for (;;) {
    const { job } = await operations.getJob(id);
    if (job.finishedAt !== null) return job;
    await pause(LOOK_MS);
  }
}
