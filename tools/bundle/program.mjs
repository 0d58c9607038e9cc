/**
 * `node ../../tools/bundle/program.mjs`, in the folder of an app, after `tsc`: dist/main.js becomes one program with what
 * it uses of the workspace, so that it starts without looking for hundreds of files. What the app itself depends on stays
 * an import.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundleCode } from './bundle-code.mjs';

/** What a worker starts as a thread or a process. */
const STARTED = {
  'lease-thread': '../../../packages/queue-core/dist/leases/lease-thread',
  'child/supervisor-main': '../../../packages/isolation/dist/child/supervisor-main',
  'child/thread-main': '../../../packages/isolation/dist/child/thread-main',
};

const dir = process.cwd();
const dist = join(dir, 'dist');
const { dependencies } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
const names = Object.keys(dependencies).filter((name) => !name.startsWith('@duework/'));
const outside = new RegExp(`^(node:.*|(${names.join('|')})(/.*)?)$`);
const entries = { main: 'main', ...('@duework/worker' in dependencies ? STARTED : {}) };

for (const name of readdirSync(dist)) if (name.startsWith('shared-')) rmSync(join(dist, name));
await bundleCode({ from: dist, to: dist, entries, outside, format: 'esm' });
