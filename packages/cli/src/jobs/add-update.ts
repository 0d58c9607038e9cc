import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { CommandParts } from '../program-parts.js';
import { enqueueOptions, readEnqueueOptions } from './enqueue-options.js';
import { parsePayload } from './parse-payload.js';
import { REASON } from '../option-words.js';

interface Given {
  readonly payload?: string;
  readonly reason?: string;
}

/** `duework update` */
export function addUpdate(program: Command, { operations, write }: CommandParts): void {
  const command = program
    .command('update')
    .description('Change a waiting job; a payload needs your jobs module, whose contract checks it, or an API')
    .argument('<id>', 'the id of a job')
    .option('--payload <payload>', 'the new payload: JSON, or - to read it from stdin');
  for (const option of enqueueOptions(['delay', 'runAt', 'priority', 'maxAttempts'])) command.addOption(option);
  command.option(...REASON).action(async (id: string, { payload, reason, ...given }: Given) => {
    const change = {
      ...(payload === undefined
        ? {}
        : { payload: parsePayload(payload === '-' ? await text(process.stdin) : payload) }),
      ...readEnqueueOptions(given),
    };
    await (await operations()).updateJob(id, change, reason);
    write(`Job ${id} is changed.\n`);
  });
}
