import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { CommandParts } from '../program-parts.js';
import { readEnqueueOptions } from './enqueue-options.js';
import { parsePayload } from './parse-payload.js';
import { REASON } from '../reason.js';

interface Given {
  readonly payload?: string;
  readonly reason?: string;
}

/** `duework update` */
export function addUpdate(program: Command, { operations, write }: CommandParts): void {
  program
    .command('update')
    .description('Change a waiting job; a payload needs your jobs module, whose contract checks it, or an API')
    .argument('<id>', 'the id of a job')
    .option('--payload <payload>', 'the new payload: JSON, or - to read it from stdin')
    .option('--delay <duration>', 'make it due this long from now: 15m')
    .option('--at <time>', 'make it due at this time: 2026-01-14T02:00:00Z')
    .option('--priority <n>', 'the new priority, 0 (first) to 9 (last)')
    .option('--max-attempts <n>', 'the attempts before it is dead')
    .option(...REASON)
    .action(async (id: string, { payload, reason, ...given }: Given) => {
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
