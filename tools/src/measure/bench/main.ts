/** `npm run measure -- bench`: Duework beside its rivals, on one PostgreSQL with durable settings, in one run. */
import { cleanUpAtExit } from '../../kit/clean-up.js';
import { runProgram } from '../../kit/run-program.js';
import { createBenchProgram, readOptions } from './read-options.js';
import { report } from './report/report.js';
import { runBench } from './run-bench.js';

const program = createBenchProgram();

async function measure(): Promise<number> {
  const options = readOptions(program);
  cleanUpAtExit();
  return report(await runBench(options), options);
}

// what a rival left open must not keep this process alive
await runProgram(program, measure, { isExitForced: true });
