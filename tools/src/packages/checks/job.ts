import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PlainError } from '../../../bootstrap/plain-error.mjs';
import { onEnd } from '../../kit/clean-up.js';
import { withFreshDatabase } from '../../kit/with-fresh-database.js';
import { withLimit } from '../../kit/with-limit.js';
import type { Check } from '../lab.js';
import { makeConsumer } from '../make-consumer.js';
import { runCommand } from '../run-command.js';

const DONE_MS = 30_000;

export const job: Check = {
  name: 'job',
  words:
    'a job that was enqueued in a transaction of pg, rolled back once and committed once, is done once by a worker',
  isQuick: true,
  run: async (lab) => {
    const dir = await makeConsumer(lab, 'job', { files: 'job', needs: ['pg', 'zod'] });
    return withFreshDatabase(async (databaseUrl) => {
      const env = { DATABASE_URL: databaseUrl };
      const answers: string[] = [];
      for (const worker of ['worker.mjs', 'worker.cjs']) {
        const [answer] = await Promise.all([
          startWorker(worker, dir, env),
          runCommand(process.execPath, ['enqueue.cjs'], { cwd: dir, env }),
        ]);
        answers.push(answer);
      }
      return answers.join(', ');
    });
  },
};

/** Resolves with what the worker has done; the worker stops by itself when it has done a job. */
async function startWorker(file: string, cwd: string, env: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn(process.execPath, [file], { cwd, env: { PATH: process.env.PATH, ...env } });
  const forget = onEnd(() => child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  try {
    const [code] = (await withLimit(once(child, 'close'), DONE_MS, `${file} has not done its job`)) as [number | null];
    if (code !== 0) throw new PlainError(`${said}\n${file} ended with ${code}.`);
    return `${file}: ${said.trim().split('\n').at(-1)}`;
  } catch (error) {
    throw new PlainError(`${said}\n${(error as Error).message}`);
  } finally {
    forget();
  }
}
