/** `npm run build`, `npm run typecheck`: one task over the whole workspace, after installing what is missing. */
import { checkNode } from './check-node.mjs';

checkNode();

async function main() {
  const { ensureInstalled } = await import('./ensure-installed.mjs');
  const { runMain } = await import('./run-main.mjs');
  const { ensureBuilt } = await import('./ensure-built.mjs');
  const { runTurbo } = await import('./run-turbo.mjs');
  await runMain(async () => {
    const task = process.argv[2] ?? 'build';
    const { pnpmDir } = await ensureInstalled('all');
    await ensureBuilt('all', pnpmDir);
    if (task !== 'build') await runTurbo({ task, label: `Running ${task}`, pnpmDir });
  });
}

void main();
