import { startRedis } from '@duework/bullmq/testing';
import { makeConsumer } from '../make-consumer.js';
import { onEnd } from '../../../kit/clean-up.js';
import { runCommand } from '../../../kit/run-command.js';
import { withFreshDatabase } from '../../../kit/with-fresh-database.js';
import type { Check } from '../lab.js';

export const bullmq: Check = {
  name: 'bullmq',
  words:
    "@duework/bullmq in an empty folder, beside duework's own bundle: a job is enqueued in a transaction, carried to a real Redis and done there; in ESM, and in CommonJS",
  isQuick: true,
  run: async (lab) => {
    const dir = await makeConsumer(lab, 'bullmq', {
      files: 'bullmq',
      packages: ['duework', '@duework/contracts', '@duework/bullmq'],
      needs: ['bullmq', 'ioredis', 'pg', 'zod'],
    });
    const redis = await startRedis();
    const endNow = onEnd(() => process.kill(redis.pid, 'SIGKILL'));
    const carry = async (databaseUrl: string): Promise<string> => {
      const env = { DATABASE_URL: databaseUrl, REDIS_URL: `redis://127.0.0.1:${redis.port}` };
      await runCommand('node_modules/.bin/duework', ['migrate'], { cwd: dir, env });
      for (const file of ['outbox.mjs', 'outbox.cjs']) await runCommand(process.execPath, [file], { cwd: dir, env });
      return 'carried and done in ESM and in CommonJS';
    };
    try {
      return await withFreshDatabase(carry, { isMigrated: false });
    } finally {
      endNow();
      await redis.stop();
    }
  },
};
