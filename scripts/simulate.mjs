/** `npm run simulate`: the engine on a virtual clock, with faults at every await; thousands of worlds, each made from its seed. */
import { checkNode } from './lib/check-node.mjs';

checkNode();

async function main() {
  const { runMain } = await import('./lib/run-main.mjs');
  const { readOptions } = await import('./simulate/read-options.mjs');
  const reading = readOptions(process.argv.slice(2));
  if (!reading.ok) {
    process.stderr.write(`${reading.line}\n`);
    process.exit(2);
  }
  if (reading.options.isHelpWanted) {
    process.stdout.write(reading.help);
    return;
  }
  const { ensureInstalled } = await import('./lib/ensure-installed.mjs');
  const { runTurbo } = await import('./lib/run-turbo.mjs');
  await runMain(async () => {
    const { pnpmDir } = await ensureInstalled();
    await runTurbo({ task: 'build', label: 'Building', pnpmDir });
    const { replay } = await import('./simulate/replay.mjs');
    const { runSeeds } = await import('./simulate/run-seeds.mjs');
    return reading.options.replay === undefined ? runSeeds(reading.options) : replay(reading.options);
  });
}

void main();
