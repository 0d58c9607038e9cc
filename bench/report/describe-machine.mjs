import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import { readRivalVersion } from '../rivals/import-rival.mjs';
import { findRedisVersion } from '../servers/start-redis.mjs';

const TMPFS = 0x01021994;

/** Where and with what was measured. */
export function describeMachine({ version, settings, dir }) {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${arch()} ${release()}`,
    // fsync costs nothing there, and every figure would be wrong
    isDataInMemory: existsSync(dir) && statfsSync(dir).type === TMPFS,
    versions: {
      node: process.versions.node,
      duework: JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version,
      postgres: version,
      redis: findRedisVersion(),
      ...Object.fromEntries(['graphile-worker', 'pg-boss', 'bullmq'].map((name) => [name, readRivalVersion(name)])),
    },
    settings,
  };
}
