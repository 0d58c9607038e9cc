import { text } from 'node:stream/consumers';
import type { Duration } from '@duework/contracts';
import type { Command } from 'commander';
import type { CommandParts } from '../program-parts.js';
import { parsePayload } from './parse-payload.js';
import { showJob } from './show-job.js';
import type { Job } from '@duework/queue-core';
import { pause } from '../output/pause.js';
import type { Operations } from '../operations/operations.js';

interface Given {
  readonly key?: string;
  readonly delay?: string;
  readonly at?: string;
  readonly priority?: string;
  readonly queue?: string;
  readonly expiresAfter?: string;
  readonly wait?: true;
}

/** `duework enqueue` */
export function addEnqueue(program: Command, { operations, look, write, exitWith }: CommandParts): void {
  program
    .command('enqueue')
    .description('Enqueue one job; needs your jobs module, whose contract checks the payload, or an API')
    .argument('<type>', 'the job type')
    .argument('<payload>', 'JSON, or - to read it from stdin')
    .option('--key <key>', 'the idempotency key: a second job with it is the first one')
    .option('--delay <duration>', 'make it due this long from now: 15m')
    .option('--at <time>', 'make it due at this time: 2026-01-14T02:00:00Z')
    .option('--priority <n>', 'its priority, 0 (first) to 9 (last)')
    .option('--expires-after <duration>', 'cancel it if it has not started this long after it was due: 10m')
    .option('--queue <queue>', 'a queue that the type allows (default: the type’s own)')
    .option('--wait', 'wait until it has ended; exit code 1: it is dead or cancelled')
    .action(async (type: string, given: string, options: Given) => {
      const payload = parsePayload(given === '-' ? await text(process.stdin) : given);
      const { key, delay, at, priority, queue: into, expiresAfter, wait } = options;
      const queue = await operations();
      const job = await queue.enqueue(type, payload, {
        ...(key === undefined ? {} : { idempotencyKey: key }),
        ...(delay === undefined ? {} : { delay: delay as Duration }),
        ...(at === undefined ? {} : { runAt: new Date(at) }),
        ...(priority === undefined ? {} : { priority: Number(priority) }),
        ...(into === undefined ? {} : { queue: into }),
        ...(expiresAfter === undefined ? {} : { expiresAfter: expiresAfter as Duration }),
      });
      const differs = job.payloadDiffers ? ', with another payload, which stays' : '';
      write(job.isDeduplicated ? `Job ${job.id} has this key already${differs}.\n` : `Job ${job.id} is enqueued.\n`);
      if (!wait) return;
      const ended = await waitForEnd(queue, job.id);
      if (ended.status !== 'succeeded') exitWith(1);
      write(showJob(ended, [], { why: null, parent: null }, look));
    });
}

const LOOK_MS = 500;

/** Looks at a job until it has succeeded, is dead or is cancelled, and returns it then. */
async function waitForEnd(operations: Pick<Operations, 'getJob'>, id: string): Promise<Job> {
  for (;;) {
    const { job } = await operations.getJob(id);
    if (job.finishedAt !== null) return job;
    await pause(LOOK_MS);
  }
}
