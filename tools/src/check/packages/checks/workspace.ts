import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PlainError } from '../../../../bootstrap/plain-error.mjs';
import { runCommand } from '../../../kit/run-command.js';
import { withFreshDatabase } from '../../../kit/with-fresh-database.js';
import { compile, typescriptsOf } from '../compilers.js';
import type { Check } from '../../../kit/run-packed.js';
import { makeWorkspace, type Manager } from '../make-workspace.js';
import { MANAGERS } from '../pinned-versions.js';
import { runWorker } from '../run-worker.js';

const BUILT = ['packages/contracts', 'apps/api', 'apps/worker', 'apps/page'];

export const workspace: Check = {
  name: 'workspace',
  words:
    'a workspace as teams build it: contracts that tsc emits for project references, an API in CommonJS with Jest, a worker in ESM that does a job of the API, a page in React; by turbo and tsup, and by npm, yarn and older pnpm, too, unless --quick',
  isQuick: true,
  run: async (lab) => {
    const versions = typescriptsOf(lab);
    const dir = await makeWorkspace(lab, 'pnpm', versions);
    for (const version of versions) {
      for (const folder of BUILT) clean(join(dir, folder));
      await compile(dir, version, ['-b']);
    }
    await useBuilt(dir);
    if (lab.isQuick) return `pnpm, TypeScript ${versions.join(', ')}`;
    const others = Object.keys(MANAGERS) as Manager[];
    for (const manager of others) {
      const other = await makeWorkspace(lab, manager, [versions.at(-1)!], manager === 'npm' ? ['tsup', 'turbo'] : []);
      await compile(other, versions.at(-1)!, ['-b']);
      await useBuilt(other);
      // turbo asks which manager there is, and pnpm would look for the version of itself that is named
      if (manager === 'npm') await buildByTools(other);
    }
    return `pnpm, ${others.join(', ')}; TypeScript ${versions.join(', ')}; turbo, tsup --dts`;
  },
};

function clean(folder: string): void {
  for (const name of ['dist', 'tsconfig.tsbuildinfo']) rmSync(join(folder, name), { recursive: true, force: true });
}

/** Tests the API, and lets the worker do what the API has enqueued. */
async function useBuilt(dir: string): Promise<void> {
  const api = join(dir, 'apps/api');
  const jest = join(dir, 'node_modules/jest/bin/jest.js');
  await runCommand(process.execPath, [jest, '--config', 'jest.config.json'], { cwd: api });
  // pnpm links the command into the app, npm and yarn into the root
  const command = join(dirname(createRequire(join(api, 'package.json')).resolve('duework')), 'command.js');
  const work = async (databaseUrl: string): Promise<string> => {
    const env = { DATABASE_URL: databaseUrl };
    await runCommand(process.execPath, [command, 'migrate'], { cwd: api, env });
    const [done] = await Promise.all([
      runWorker('dist/work-once.js', join(dir, 'apps/worker'), env),
      runCommand(process.execPath, ['dist/main.js'], { cwd: api, env }),
    ]);
    if (done.join() !== 'done: order 2') throw new PlainError(`The worker did ${done.join(', ') || 'nothing'}.`);
    return done.join();
  };
  await withFreshDatabase(work, { isMigrated: false });
}

/** What teams build with besides tsc: turbo runs it, and tsup writes the declarations of the contracts in one file. */
async function buildByTools(dir: string): Promise<void> {
  for (const folder of BUILT) clean(join(dir, folder));
  const bin = (name: string): string => join(dir, 'node_modules/.bin', name);
  const path = join(dir, 'package.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as object;
  writeFileSync(path, JSON.stringify({ ...manifest, packageManager: 'npm@11.0.0' }));
  await runCommand(bin('turbo'), ['run', 'build'], { cwd: dir });
  const contracts = join(dir, 'packages/contracts');
  writeFileSync(join(contracts, 'tsconfig.tsup.json'), TSUP_CONFIG);
  const args = ['src/index.ts', '--dts', '--format', 'esm,cjs', '--tsconfig', 'tsconfig.tsup.json', '--out-dir', 'out'];
  await runCommand(bin('tsup'), args, { cwd: contracts });
}

const TSUP_CONFIG = JSON.stringify({
  compilerOptions: { target: 'es2022', module: 'nodenext', strict: true, declaration: true },
  include: ['src'],
});
