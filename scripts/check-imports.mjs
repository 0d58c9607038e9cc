/** `npm run check:imports`: who may import whom, and what belongs in which file. The rules are in imports/rules.mjs. */
import { checkNode } from './lib/check-node.mjs';

checkNode();

async function main() {
  const { readFileSync } = await import('node:fs');
  const { join } = await import('node:path');
  const { checkSource } = await import('./imports/check-source.mjs');
  const { listSources } = await import('./imports/list-sources.mjs');
  const { root } = await import('./lib/paths.mjs');
  const { runMain } = await import('./lib/run-main.mjs');

  await runMain(() => {
    const sources = listSources(root);
    const violations = sources.flatMap((path) => checkSource(path, readFileSync(join(root, path), 'utf8')));
    for (const { path, line, found, words } of violations)
      process.stdout.write(`${path}:${line}  ${found}: ${words}\n`);
    process.stdout.write(
      violations.length === 0
        ? `${sources.length} files keep to the rules.\n`
        : `${violations.length} against the rules.\n`,
    );
    return violations.length === 0 ? 0 : 1;
  });
}

void main();
