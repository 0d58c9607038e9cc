/** `npm start`: from an empty clone to a running Duework. `npm start -- --help` lists its options and variables. */
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { runStart } from './run-start.js';
import { describeVariables, summary } from './texts.js';

const program = createProgram('start', summary)
  .option('--logs', 'shows all that the programs log, and not warnings and errors alone')
  .option('--json', "show the programs' logs as they are, for a program to read")
  .addHelpText('after', `\n${describeVariables()}`);

await runProgram(program, () => {
  const { json = false, logs = false } = program.opts<{ json?: boolean; logs?: boolean }>();
  return runStart({ isJson: json, isWhole: logs });
});
