import { inspect } from 'node:util';

/**
 * Runs a program's main function. An error becomes its message on stderr and exit code 1; DEBUG=1 shows the whole
 * error. A number that `main` returns is the exit code.
 *
 * @param {() => unknown} main
 */
export async function runMain(main) {
  try {
    const code = await main();
    process.exitCode = typeof code === 'number' ? code : 0;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${process.env['DEBUG'] ? inspect(error) : message}\n`);
    process.exitCode = 1;
  }
}
