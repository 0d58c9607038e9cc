/**
 * `node tools/bootstrap/run.mjs check imports [its options]`: what every npm script calls. It checks Node, installs what
 * is missing, builds what has changed, and then runs the program. programs.mjs says which there are.
 */
import { checkNode } from './check-node.mjs';

checkNode();

async function main() {
  const { runMain } = await import('./run-main.mjs');
  const { findPrograms } = await import('./find-programs.mjs');
  const { listPrograms } = await import('./programs.mjs');

  let chosen = /** @type {ReturnType<typeof findPrograms>} */ (null);
  let isReady = false;
  await runMain(async () => {
    const [purpose = '', ...args] = process.argv.slice(2);
    chosen = findPrograms(purpose, args);
    if (chosen === null) {
      process.stdout.write(listPrograms(purpose));
      return;
    }
    const { ensureInstalled } = await import('./ensure-installed.mjs');
    const { runTurbo } = await import('./run-turbo.mjs');
    const { pnpmDir } = await ensureInstalled();
    await runTurbo({ task: 'build', label: 'Building', pnpmDir });
    isReady = true;
  });
  if (chosen === null || !isReady) return;
  const { runEach, runHere } = await import('./run-programs.mjs');
  const [first, ...others] = chosen;
  if (first === undefined) return;
  // a program alone has this process to itself: it reads the arguments and sets the exit code
  if (others.length === 0) await runHere(first);
  else await runMain(() => runEach([first, ...others]));
}

void main();
