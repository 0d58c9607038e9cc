/** `npm run bench`: Duework beside its rivals, on one PostgreSQL with durable settings, in one run. */
import { checkNode } from '../scripts/lib/check-node.mjs';

checkNode();

async function main() {
  const { runMain } = await import('../scripts/lib/run-main.mjs');
  const { readOptions } = await import('./read-options.mjs');
  const reading = readOptions(process.argv.slice(2));
  if (!reading.ok) {
    process.stderr.write(`${reading.line}\n`);
    process.exit(2);
  }
  if (reading.options.isHelpWanted) {
    process.stdout.write(reading.help);
    return;
  }
  const { ensureInstalled } = await import('../scripts/lib/ensure-installed.mjs');
  const { runTurbo } = await import('../scripts/lib/run-turbo.mjs');
  await runMain(async () => {
    const { pnpmDir } = await ensureInstalled();
    await runTurbo({ task: 'build', label: 'Building', pnpmDir });
    const { cleanUpAtExit } = await import('../scripts/lib/clean-up.mjs');
    cleanUpAtExit();
    const { runBench } = await import('./run-bench.mjs');
    const { report } = await import('./report/report.mjs');
    return report(await runBench(reading.options), reading.options);
  });
  // whatever a rival left open must not keep this process
  process.exit();
}

void main();
