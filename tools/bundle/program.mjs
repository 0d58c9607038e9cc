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

/** @type {import('rolldown').InputOptions} */
const input = {
  input: { main: 'src/main.ts', ...('@duework/worker' in dependencies ? STARTED : {}) },
  external: new RegExp(`^(node:.*|(${names.join('|')})(/.*)?)$`),
  platform: 'node',
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  preserveEntrySignatures: 'allow-extension',
  experimental: { attachDebugInfo: 'none' },
  // a machine that does much else is slow
  checks: { pluginTimings: false },
  // an import that cannot be resolved is a warning there, and a broken program here
  onLog: (level, log, handle) => handle(level === 'warn' ? 'error' : level, log),
};
/** @type {import('rolldown').OutputOptions} */
const output = {
  dir: 'dist',
  format: 'esm',
  sourcemap: true,
  entryFileNames: '[name].js',
  chunkFileNames: 'shared-[hash].js',
  comments: { legal: true, annotation: true, jsdoc: false },
};

const bundle = await rolldown(input);
const first = await bundle.generate(output);
const main = join(process.cwd(), 'src/main.ts');
const beside = new Set(
  first.output.flatMap((file) => (file.type === 'chunk' && file.moduleIds.includes(main) ? file.moduleIds : [])),
);
beside.delete(main);
// Nothing but src/main.ts is in main.js. It awaits what it runs, and a file that is loaded meanwhile and needed something of
// main.js would wait for that to end.
await bundle.write({
  ...output,
  codeSplitting: {
    groups: [{ name: 'start', test: (id) => beside.has(id) }],
    includeDependenciesRecursively: false,
  },
});
await bundle.close();
