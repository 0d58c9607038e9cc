import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { CommandParts } from '../program-parts.js';
import { enqueueOptions, readEnqueueOptions } from './enqueue-options.js';
import { parsePayload } from './parse-payload.js';
import type { Job } from '@duework/queue-core';
import { pause } from '../output/pause.js';
import type { Operations } from '../operations/operations.js';

/** `duework enqueue` */
export function addEnqueue(program: Command, { operations, look, write, exitWith }: CommandParts): void {
  const command = program
    .command('enqueue')
    .description('Enqueue one job; needs your jobs module, whose contract checks the payload, or an API')
    .argument('<type>', 'the job type')
    .argument('<payload>', 'JSON, or - to read it from stdin');
  for (const option of enqueueOptions()) command.addOption(option);
  command
    .option('--wait', 'wait until it has ended; exit code 1: it is dead or cancelled')
    .action(async (type: string, given: string, options: Readonly<Record<string, unknown>>) => {
      const payload = parsePayload(given === '-' ? await text(process.stdin) : given);
      const queue = await operations();
      const job = await queue.enqueue(type, payload, readEnqueueOptions(options));
      const differs = job.payloadDiffers ? ', with another payload, which stays' : '';
      write(job.isDeduplicated ? `Job ${job.id} has this key already${differs}.\n` : `Job ${job.id} is enqueued.\n`);
      if (!options['wait']) return;
      const ended = await waitForEnd(queue, job.id);
      if (ended.status !== 'succeeded') exitWith(1);
      const { showJob } = await import('../shown.js');
      write(showJob(ended, [], { why: null, parent: null, deeds: [] }, look));
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
