import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PlainError } from '../../../../bootstrap/plain-error.mjs';
import { onEnd } from '../../../kit/clean-up.js';
import { withFreshDatabase } from '../../../kit/with-fresh-database.js';
import { withLimit } from '../../../kit/with-limit.js';
import type { Check } from '../lab.js';
import { makeConsumer } from '../make-consumer.js';
import { runCommand } from '../../../kit/run-command.js';

const DONE_MS = 30_000;
const COMMAND = 'node_modules/.bin/duework';
const WORKERS = ['worker.mjs', 'worker.cjs'];

type Env = Readonly<Record<string, string>>;

export const job: Check = {
  name: 'job',
  words:
    'duework migrate on an empty database; then a job that was enqueued in a transaction of pg, rolled back once and committed once, is done once: by a worker in ESM, and by one in CommonJS',
  isQuick: true,
  run: async (lab) => {
    const dir = await makeConsumer(lab, 'job', { files: 'job', needs: ['pg', 'zod'] });
    const work = async (databaseUrl: string): Promise<string> => {
      const env = { DATABASE_URL: databaseUrl };
      await runCommand(COMMAND, ['migrate'], { cwd: dir, env });
      for (const worker of WORKERS) {
        const [done] = await Promise.all([
          runWorker(worker, dir, env),
          runCommand(process.execPath, ['enqueue.cjs'], { cwd: dir, env }),
        ]);
        if (done.join() !== 'done: order 2') throw new PlainError(`${worker} did ${done.join(', ') || 'nothing'}.`);
      }
      return `migrated by the command, done by ${WORKERS.join(' and ')}`;
    };
    return withFreshDatabase(work, { isMigrated: false });
  },
};

/** Resolves with the lines about jobs that a worker has printed, once it has stopped by itself after the first job. */
async function runWorker(file: string, cwd: string, env: Env): Promise<string[]> {
  const child = spawn(process.execPath, [file], { cwd, env: { PATH: process.env.PATH, ...env } });
  const forget = onEnd(() => child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  try {
    const [code] = (await withLimit(once(child, 'close'), DONE_MS, `${file} has not done its job`)) as [number | null];
    if (code !== 0) throw new PlainError(`${file} ended with ${code}.`);
    return said.split('\n').filter((line) => line.startsWith('done: '));
  } catch (error) {
    throw new PlainError(`${said}\n${(error as Error).message}`);
  } finally {
    forget();
  }
}
