/** `npm run migrate`: brings the database of DATABASE_URL up to date. Options go to it: `-- --retry-failed`. */
import { checkNode } from './lib/check-node.mjs';

checkNode();

async function main() {
  const { spawnSync } = await import('node:child_process');
  const { join } = await import('node:path');
  const { runMain } = await import('./lib/run-main.mjs');
  const { ensureInstalled } = await import('./lib/ensure-installed.mjs');
  const { runTurbo } = await import('./lib/run-turbo.mjs');
  const { root } = await import('./lib/paths.mjs');
  await runMain(async () => {
    const { pnpmDir } = await ensureInstalled();
    await runTurbo({ task: 'build', label: 'Building', pnpmDir, filter: '@duework/database' });
    const program = join(root, 'packages/database/dist/migrate-main.js');
    return spawnSync(process.execPath, [program, ...process.argv.slice(2)], { stdio: 'inherit' }).status === 0 ? 0 : 1;
  });
}

void main();
