import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { root } from '../../../../bootstrap/paths.mjs';
import { findRedisVersion } from '../../../kit/servers/start-redis.js';
import { readRivalVersion } from '../rivals/import-rival.js';
import type { BenchPostgres } from '../servers/start-bench-postgres.js';
import type { Machine } from './run.js';

const TMPFS = 0x01021994;
const RIVALS = ['graphile-worker', 'pg-boss', 'bullmq', '@dbos-inc/dbos-sdk'];

/** The machine and the versions that were measured. */
export function describeMachine({ version, settings, dir }: BenchPostgres): Machine {
  const { version: duework } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${arch()} ${release()}`,
    isDataInMemory: existsSync(dir) && statfsSync(dir).type === TMPFS,
    versions: {
      node: process.versions.node,
      duework,
      postgres: version,
      redis: findRedisVersion(),
      ...Object.fromEntries(RIVALS.map((name) => [name, readRivalVersion(name)])),
    },
    settings,
  };
}
