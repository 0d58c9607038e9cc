// Starts PostgreSQL where DATABASE_URL is not set, migrates, and runs the API and the worker until Ctrl-C.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startEmbeddedPostgres } from '@duework/embedded';

const postgres = process.env.DATABASE_URL
  ? null
  : await startEmbeddedPostgres({ dataDir: '.duework/postgres', port: 0, database: 'app' });
const env = {
  ...process.env,
  DATABASE_URL: process.env.DATABASE_URL ?? postgres.url,
  // the console lets in this machine without a key
  NODE_ENV: 'development',
};

/** Programs in a group of their own do not receive Ctrl-C by themselves: it is passed on once. */
const start = (...args) =>
  spawn('pnpm', args, {
    env,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    detached: process.platform !== 'win32',
  });

const migrated = await once(start('run', 'migrate'), 'exit');
const programs = migrated[0] === 0 ? [start('--filter', './apps/*', '--parallel', 'start')] : [];
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () =>
    programs.forEach(({ pid }) => process.kill(process.platform === 'win32' ? pid : -pid, 'SIGTERM')),
  );
await Promise.all(programs.map((program) => once(program, 'exit')));
await postgres?.stop();
process.exitCode = migrated[0] ?? 1;
