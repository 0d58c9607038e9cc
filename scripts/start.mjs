/** `npm start`: from an empty clone to a running Duework. `npm start -- --help` lists its options and variables. */
import { checkNode } from './lib/check-node.mjs';

checkNode();

async function main() {
  const { runMain } = await import('./lib/run-main.mjs');
  const { runStart } = await import('./start/run-start.mjs');
  await runMain(() => runStart(process.argv.slice(2)));
}

void main();
