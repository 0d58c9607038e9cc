import { type Command, CommanderError } from 'commander';
import { runMain } from '../../bootstrap/run-main.mjs';

const USAGE_CODE = 2;

/**
 * Reads the command line and runs a tool, which finds what was read in `program.opts()` and `program.args`. Exit code: the
 * number that `work` returns, 0 unless it returns one; 1 when it throws, with its message on stderr; 2 of a command line that
 * is not understood.
 *
 * @param options `isExitForced`: what the tool has left open does not keep the process
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
      // it has said so itself
      if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_CODE;
      throw error;
    }
    return work();
  });
  if (isExitForced) process.exit();
}
