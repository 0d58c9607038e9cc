/** `npm run break -- move`: jobs of other systems are moved here and back, while everything dies. */
import { randomInt } from 'node:crypto';
import { Option } from 'commander';
import { cleanUpAtExit } from '../../kit/clean-up.js';
import { createProgram, wholeNumber } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { printVerdicts } from '../torture/report/print-verdicts.js';
import type { System } from './open-places.js';
import { runShow } from './run-show.js';

const SYSTEMS: readonly System[] = ['pg-boss', 'graphile-worker', 'bullmq'];

const program = createProgram(
  'break move',
  `Moves jobs from pg-boss, graphile-worker and BullMQ to Duework, and back: due ones, later ones, those that wait for a retry and
failed ones. Workers of both run, the mover is killed twenty times each way, and each server twice. A file outside all of
them says what has run: no job may be lost, be in two places, or run twice, unless a worker had it when its server died.
It runs on servers of its own and leaves nothing behind. Exit code 1: a promise broke.`,
)
  .addOption(new Option('--from <system>', 'only this one').choices(SYSTEMS))
  .option('--apart', 'pg-boss and graphile-worker in a database of their own')
  .option('--jobs <n>', 'of each state, 100 to 1000000', wholeNumber(100, 1_000_000), 100_000)
  .option('--kills <n>', 'of the mover, each way', wholeNumber(0, 1_000), 20)
  .option('--server-kills <n>', 'of each server, each way', wholeNumber(0, 100), 2)
  .option('--quick', '1,000 jobs of each state and three kills')
  .option('--seed <n>', 'repeats the choices of a run', wholeNumber(0, 4_294_967_295));

interface Given {
  readonly from?: System;
  readonly apart?: true;
  readonly jobs: number;
  readonly kills: number;
  readonly serverKills: number;
  readonly quick?: true;
  readonly seed?: number;
}

cleanUpAtExit();
await runProgram(
  program,
  async () => {
    const { from, quick, apart = false, seed = randomInt(2 ** 32 - 1), ...given } = program.opts<Given>();
    const size = quick ? { jobs: 1_000, kills: 3, serverKills: 1 } : given;
    let isBroken = false;
    for (const system of from === undefined ? SYSTEMS : [from])
      for (const { title, verdicts } of await runShow(
        { ...size, system, isApart: apart && system !== 'bullmq', seed },
        (line) => process.stdout.write(`${line}\n`),
      ))
        isBroken = printVerdicts(title, verdicts) || isBroken;
    return isBroken ? 1 : 0;
  },
  { isExitForced: true },
);
