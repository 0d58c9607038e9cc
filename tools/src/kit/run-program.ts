import { type Command, CommanderError } from 'commander';
import { runMain } from '../../bootstrap/run-main.mjs';

const USAGE_CODE = 2;

/**
 * Parses the command line and runs a tool, which finds the result in `program.opts()` and `program.args`. Exit code:
 * the number that `work` returns, 0 unless it returns one; 1 when it throws, with its message on stderr; 2 for an
 * invalid command line.
 *
 * @param options `isExitForced`: the process ends even if the tool has left something open
 */
export async function runProgram(
  program: Command,
  work: () => unknown,
  { isExitForced = false }: { readonly isExitForced?: boolean } = {},
): Promise<void> {
  await runMain(async () => {
    try {
      program.parse();
    } catch (error) {
      // commander has printed the error itself
      if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_CODE;
      throw error;
    }
    return work();
  });
  if (isExitForced) process.exit();
}
