/** `npm run build`, `npm run typecheck`: one task over the whole workspace, after installing what is missing. */
import { checkNode } from './lib/check-node.mjs';

checkNode();

async function main() {
  const { runMain } = await import('./lib/run-main.mjs');
  const { ensureInstalled } = await import('./lib/ensure-installed.mjs');
  const { runTurbo } = await import('./lib/run-turbo.mjs');
  await runMain(async () => {
    const task = process.argv[2] || 'build';
    const { pnpmDir } = await ensureInstalled();
    await runTurbo({ task, label: task === 'build' ? 'Building' : `Running ${task}`, pnpmDir });
  });
}

void main();
