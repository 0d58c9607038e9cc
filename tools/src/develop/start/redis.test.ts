import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedis } from '@duework/bullmq/testing';
import { afterEach, expect, test } from '@jest/globals';
import { findFreePort } from '../../kit/find-free-port.js';
import { openRedis } from './redis.js';
import { readSettings } from './settings.js';

const dirs: string[] = [];
afterEach(() => dirs.splice(0).forEach((dir) => rmSync(dir, { recursive: true, force: true })));

/** The settings of a start whose Redis has a port and files of its own. */
async function settingsOf(env: Record<string, string> = {}) {
  const redisDir = mkdtempSync(join(tmpdir(), 'duework-start-redis-'));
  dirs.push(redisDir);
  return { ...readSettings({ REDIS_PORT: String(await findFreePort()), ...env }), redisDir };
}

test('a start has a Redis of its own, which a later one takes over where it was left, and stops', async () => {
  const settings = await settingsOf();
  const first = await openRedis(settings);
  expect(first).toMatchObject({ url: `redis://127.0.0.1:${settings.ports.REDIS_PORT}`, isOwn: true });
  const second = await openRedis(settings);
  expect(second.url).toBe(first.url);
  await second.stop();
  const third = await openRedis(settings);
  await third.stop();
});

test('a port that somebody else has is named, with the variable to set', async () => {
  const other = await startRedis();
  try {
    const settings = await settingsOf({ REDIS_PORT: String(other.port) });
    await expect(openRedis(settings)).rejects.toThrow(/is taken by .*REDIS_PORT=/);
  } finally {
    await other.stop();
  }
});

test('a Redis of DUEWORK_REDIS_URL is left to whoever runs it', async () => {
  const redis = await openRedis(await settingsOf({ DUEWORK_REDIS_URL: 'redis://redis.example:6379' }));
  expect(redis).toMatchObject({ url: 'redis://redis.example:6379', isOwn: false });
  await redis.stop();
});
