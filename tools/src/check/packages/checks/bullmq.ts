import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../../kit/run-command.js';
import { installRedis } from '../../../kit/servers/install-redis.js';
import { startRedis } from '../../../kit/servers/start-redis.js';
import type { Check } from '../lab.js';
import { makeConsumer } from '../make-consumer.js';

export const bullmq: Check = {
  name: 'bullmq',
  words:
    "@duework/bullmq in an empty folder, beside duework's own bundle, on a real Redis: a job is done by a worker of duework, and what Redis cannot promise is refused; in ESM, and in CommonJS",
  isQuick: true,
  run: async (lab) => {
    installRedis();
    const dir = await makeConsumer(lab, 'bullmq', {
      files: 'bullmq',
      packages: ['duework', '@duework/contracts', '@duework/bullmq'],
      needs: ['bullmq', 'ioredis', 'pg', 'zod'],
    });
    const redisDir = join(lab.dir, 'redis-of-bullmq');
    mkdirSync(redisDir, { recursive: true });
    const redis = await startRedis({ dir: redisDir, appendfsync: 'everysec' });
    try {
      const env = { REDIS_URL: redis.url };
      for (const file of ['dedicated.mjs', 'dedicated.cjs'])
        await runCommand(process.execPath, [file], { cwd: dir, env });
    } finally {
      await redis.drop();
    }
    return 'a job was done in ESM and in CommonJS';
  },
};
