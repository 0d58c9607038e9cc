/**
 * `node tools/bootstrap/run.mjs <program> [its arguments]`: what every npm script calls. It checks Node, installs what
 * is missing, builds what has changed, and then runs the program: tools/src/<program>/main.ts.
 */
import { checkNode } from './check-node.mjs';

checkNode();

async function main() {
  const { existsSync } = await import('node:fs');
  const { join } = await import('node:path');
  const { pathToFileURL } = await import('node:url');
  const { ensureInstalled } = await import('./ensure-installed.mjs');
  const { root } = await import('./paths.mjs');
  const { runMain } = await import('./run-main.mjs');
  const { runTurbo } = await import('./run-turbo.mjs');

  const program = process.argv[2] ?? '';
  let built = '';
  await runMain(async () => {
    if (!existsSync(join(root, 'tools/src', program, 'main.ts')))
      throw new Error(`There is no program ${JSON.stringify(program)}. The programs are the scripts of package.json.`);
    const { pnpmDir } = await ensureInstalled();
    await runTurbo({ task: 'build', label: 'Building', pnpmDir });
    built = join(root, 'tools/dist/src', program, 'main.js');
  });
  if (built === '') return;
  // the program reads its arguments where every program does
  process.argv.splice(1, 2, built);
  await import(pathToFileURL(built).href);
}

void main();
