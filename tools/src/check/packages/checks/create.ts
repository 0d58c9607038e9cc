import { appendFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Check, Lab } from '../../../kit/run-packed.js';
import { makeConsumer } from '../make-consumer.js';
import { runCommand } from '../../../kit/run-command.js';

export const create: Check = {
  name: 'create',
  words:
    'create-duework writes a monorepo into an empty folder; with the packed packages it installs, compiles and passes its own tests, on a PostgreSQL of its own, the console in its API among them',
  isQuick: false,
  run: async (lab) => {
    const dir = await makeConsumer(lab, 'create', { packages: ['create-duework'] });
    await runCommand('node_modules/.bin/create-duework', ['my-app'], { cwd: dir });
    const app = join(dir, 'my-app');
    // with this machine's pnpm, whichever it pins
    appendFileSync(join(app, 'pnpm-workspace.yaml'), `\npmOnFail: ignore\noverrides:\n${overridesOf(lab)}`);
    const env = { PATH: `${lab.pnpmDir}${delimiter}${process.env.PATH}` };
    const pnpm = (...args: readonly string[]): Promise<string> => runCommand('pnpm', args, { cwd: app, env });
    // Prisma's script would download an engine, which generate does not use: any program will do
    await pnpm('install', '--no-frozen-lockfile', '--prefer-offline', '--ignore-scripts');
    await runCommand('pnpm', ['--filter', '@my-app/db', 'generate'], {
      cwd: app,
      env: { ...env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath },
    });
    await pnpm('typecheck');
    const said = await pnpm('test');
    return `installed, compiled, ${/# pass (\d+)/.exec(said)?.[1] ?? 'no'} tests passed`;
  },
};

/** The packed packages in place of those that a registry has. */
const overridesOf = ({ packed }: Lab): string =>
  packed.map(({ name, tarball }) => `  '${name}': file:${tarball}\n`).join('');
