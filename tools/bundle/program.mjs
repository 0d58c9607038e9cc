/**
 * `node ../../tools/bundle/program.mjs`, in the folder of an app, after `tsc`: dist/main.js becomes one program with what
 * it uses of the workspace, so that it starts without looking for hundreds of files. What the app itself depends on stays
 * an import. Stack traces name the app's sources, with `--enable-source-maps`.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** What a worker starts as a thread or a process. */
const STARTED = {
  'lease-thread': '../../packages/queue-core/dist/leases/lease-thread.js',
  'child/supervisor-main': '../../packages/isolation/dist/child/supervisor-main.js',
  'child/thread-main': '../../packages/isolation/dist/child/thread-main.js',
};

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const names = Object.keys(dependencies).filter((name) => !name.startsWith('@duework/'));
for (const name of readdirSync('dist')) if (name.startsWith('shared-')) rmSync(join('dist', name));

const bundle = await rolldown({
  input: { main: 'src/main.ts', ...('@duework/worker' in dependencies ? STARTED : {}) },
  external: new RegExp(`^(node:.*|(${names.join('|')})(/.*)?)$`),
  platform: 'node',
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  experimental: { attachDebugInfo: 'none' },
  // an import that cannot be resolved is a warning there, and a broken program here
  onLog: (level, log, handle) => handle(level === 'warn' ? 'error' : level, log),
});
await bundle.write({
  dir: 'dist',
  format: 'esm',
  sourcemap: true,
  entryFileNames: '[name].js',
  chunkFileNames: 'shared-[hash].js',
  comments: { legal: true, annotation: true, jsdoc: false },
});
await bundle.close();
