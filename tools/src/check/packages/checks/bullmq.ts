import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../../kit/run-command.js';
import { installRedis } from '../../../kit/servers/install-from-debian.js';
import { startRedis } from '../../../kit/servers/start-redis.js';
import { withFreshDatabase } from '../../../kit/with-fresh-database.js';
import { writeAsCommonJs } from '../as-commonjs.js';
import type { Check, Lab } from '../../../kit/run-packed.js';
import { makeConsumer } from '../make-consumer.js';

/** The versions of ioredis that BullMQ takes, and what is run on each. */
const VERSIONS = [
  { ioredis: '^5.0.0', files: { dedicated: ['dedicated.mjs'], outbox: ['outbox.cjs'] } },
  {
    ioredis: '^6.0.0',
    files: { dedicated: ['dedicated.mjs', 'dedicated.cjs'], outbox: ['outbox.mjs', 'outbox.cjs'] },
  },
] as const;

export const bullmq: Check = {
  name: 'bullmq',
  words:
    "@duework/bullmq beside duework's own bundle, on a real Redis, with ioredis 5 and 6, which npm adds to it as a second step: a job is done by a worker of duework, what Redis cannot promise is refused, and a job that is enqueued in a transaction is carried there; in ESM, and in CommonJS",
  isQuick: true,
  run: async (lab) => {
    installRedis();
    const redisDir = join(lab.dir, 'redis-of-bullmq');
    mkdirSync(redisDir, { recursive: true });
    const redis = await startRedis({ dir: redisDir, appendfsync: 'everysec' });
    try {
      for (const version of VERSIONS) await useBullmq(lab, version, redis.url);
    } finally {
      await redis.drop();
    }
    return 'jobs were done, and carried, in ESM and in CommonJS, with ioredis 5 and 6';
  },
};

async function useBullmq(lab: Lab, { ioredis, files }: (typeof VERSIONS)[number], redisUrl: string): Promise<void> {
  const dir = await makeConsumer(lab, `bullmq-${ioredis.slice(1, 2)}`, {
    files: 'bullmq',
    packages: ['duework', '@duework/contracts', '@duework/bullmq'],
    needs: ['pg', 'zod'],
  });
  await runCommand('npm', ['install', '--no-audit', '--no-fund', 'bullmq', `ioredis@${ioredis}`], { cwd: dir });
  await writeAsCommonJs(dir, 'dedicated');
  await writeAsCommonJs(dir, 'outbox');
  const env = { DUEWORK_REDIS_URL: redisUrl };
  for (const file of files.dedicated) await runCommand(process.execPath, [file], { cwd: dir, env });
  const carry = async (databaseUrl: string): Promise<void> => {
    const both = { ...env, DATABASE_URL: databaseUrl };
    await runCommand('node_modules/.bin/duework', ['migrate'], { cwd: dir, env: both });
    for (const file of files.outbox) await runCommand(process.execPath, [file], { cwd: dir, env: both });
  };
  await withFreshDatabase(carry, { isMigrated: false });
}
