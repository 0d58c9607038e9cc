/** `npm run break -- torture`: breaks the product on purpose, and judges whether it kept its promises. */
import { cleanUpAtExit } from '../../kit/clean-up.js';
import { runProgram } from '../../kit/run-program.js';
import { type GivenOptions, toOptions, torture } from './read-options.js';
import { report } from './report/report.js';
import { runTorture } from './run-torture.js';

cleanUpAtExit();
await runProgram(
  torture,
  async () => {
    const run = await runTorture(toOptions(torture.opts<GivenOptions>()), (line) => process.stdout.write(`${line}\n`));
    const code = await report(run);
    run.stop();
    return code;
  },
  // what a fault left open must not keep this process alive
  { isExitForced: true },
);
