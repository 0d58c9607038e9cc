/** `npm run torture`: the product, broken on purpose, and whether it kept its promises. */
import { checkNode } from '../scripts/lib/check-node.mjs';

checkNode();

async function main() {
  const { runMain } = await import('../scripts/lib/run-main.mjs');
  const { ensureInstalled } = await import('../scripts/lib/ensure-installed.mjs');
  const { runTurbo } = await import('../scripts/lib/run-turbo.mjs');
  const { cleanUpAtExit } = await import('../scripts/lib/clean-up.mjs');
  await runMain(async () => {
    const { pnpmDir } = await ensureInstalled();
    await runTurbo({ task: 'build', label: 'Building', pnpmDir });
    const { readOptions } = await import('./read-options.mjs');
    const reading = readOptions(process.argv.slice(2));
    if (!reading.ok) {
      process.stderr.write(`${reading.line}\n`);
      return 2;
    }
    if (reading.options.isHelpWanted) {
      process.stdout.write(reading.help);
      return 0;
    }
    cleanUpAtExit();
    const { runTorture } = await import('./run-torture.mjs');
    const { report } = await import('./report/report.mjs');
    const run = await runTorture(reading.options, (line) => process.stdout.write(`${line}\n`));
    const code = await report(run);
    run.stop();
    return code;
  });
  // whatever a fault left open must not keep this process
  process.exit();
}

void main();
