/** `npm start`: from an empty clone to a running Duework. `npm start -- --help` lists its options and variables. */
import { InvalidArgumentError } from 'commander';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { runStart } from './run-start.js';
import { describeVariables, summary } from './texts.js';

const program = createProgram('start', summary)
  .option('--logs', 'shows all that the programs log, and not warnings and errors alone')
  .option('--json', "show the programs' logs as they are, for a program to read")
  .option(
    '--shards <n>',
    'spreads the shop over so many databases, each with a PostgreSQL of its own: 2 to 4',
    readShards,
  )
  .option(
    '--queue <name>',
    'bullmq: the receipts of the shop run in a dedicated queue, BullMQ on a Redis of its own',
    readQueue,
  )
  .addHelpText('after', `\n${describeVariables()}`);

await runProgram(program, () => {
  const {
    json = false,
    logs = false,
    shards = 1,
    queue,
  } = program.opts<{ json?: boolean; logs?: boolean; shards?: number; queue?: 'bullmq' }>();
  return runStart({ isJson: json, isWhole: logs }, { shards, isWithRedis: queue === 'bullmq' });
});

function readShards(text: string): number {
  if (/^[2-4]$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It has to be 2, 3 or 4.');
}

function readQueue(text: string): 'bullmq' {
  if (text === 'bullmq') return text;
  throw new InvalidArgumentError('It has to be bullmq.');
}
