import { inspect } from 'node:util';

/**
 * Runs a script's main function. Whatever it throws becomes its message on stderr and exit code 1; DEBUG=1 shows the
 * whole error. A number it returns is the exit code.
 */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    process.stderr.write(`${process.env.DEBUG ? inspect(error) : (error?.message ?? error)}\n`);
    process.exitCode = 1;
  }
}
