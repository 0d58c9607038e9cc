import { PlainError } from '../../../../bootstrap/plain-error.mjs';
import { withFreshDatabase } from '../../../kit/with-fresh-database.js';
import type { Check } from '../../../kit/run-packed.js';
import { makeConsumer } from '../make-consumer.js';
import { runCommand } from '../../../kit/run-command.js';
import { runWorker } from '../run-worker.js';

const COMMAND = 'node_modules/.bin/duework';
const WORKERS = ['worker.mjs', 'worker.cjs'];

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
