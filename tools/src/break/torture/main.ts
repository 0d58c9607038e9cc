/** `npm run break -- torture`: breaks the product on purpose, and judges whether it kept its promises. */
import { cleanUpAtExit } from '../../kit/clean-up.js';
import { runProgram } from '../../kit/run-program.js';
import { type GivenOptions, toOptions, torture } from './read-options.js';
import { report } from './report/report.js';
import { reportShards } from './shards/report-shards.js';
import { tortureShards } from './shards/torture-shards.js';
import { reportDedicated } from './dedicated/report-dedicated.js';
import { tortureDedicated } from './dedicated/torture-dedicated.js';
import { runTorture } from './run-torture.js';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

cleanUpAtExit();
await runProgram(
  torture,
  async () => {
    const given = torture.opts<GivenOptions>();
    const { seed, perSecond } = toOptions(given);
    if (given.shards !== undefined) {
      const minutes = given.quick ? undefined : (given.minutes ?? 10);
      const options = { shards: given.shards, seed, minutes, perSecond: Math.ceil(perSecond / given.shards) };
      return reportShards(await tortureShards(options, say), !given.quick);
    }
    if (given.queue === 'bullmq') {
      const minutes = given.quick ? undefined : (given.minutes ?? 10);
      return reportDedicated(await tortureDedicated({ minutes, perSecond }, say));
    }
    const run = await runTorture(toOptions(given), say);
    const code = report(run);
    run.stop();
    return code;
  },
  // what a fault left open must not keep this process alive
  { isExitForced: true },
);
