import { afterEach, expect, test } from '@jest/globals';
import { waitUntil } from '../../kit/wait-until.js';
import { spawnStart, type SpawnedStart } from './testing/spawn-start.js';

/** Less than the minute that a start gives its programs to become ready. */
const SOON = { limitMs: 30_000 };

let start: SpawnedStart;
afterEach(() => start.remove(), 60_000);

const untilEnded = (): Promise<unknown> => waitUntil('The start goes on', () => start.process.exitCode !== null, SOON);

test.each(['mailbox', 'api', 'worker'])(
  'a start whose %s is killed before it is ready stops the others and ends, without waiting for it',
  async (name) => {
    start = await spawnStart();
    process.kill(await start.pidOf(name), 'SIGKILL');
    await untilEnded();
    expect(await start.ended).toBe(1);
    expect(start.said()).toContain(`The ${name} ended by itself (SIGKILL).`);
    await expect(fetch(start.url)).rejects.toThrow('fetch failed');
    await expect(fetch(start.mailboxUrl)).rejects.toThrow('fetch failed');
  },
  120_000,
);

test('a start whose worker is killed later ends in seconds, told to stop or not', async () => {
  start = await spawnStart();
  await start.untilReady();
  process.kill(await start.pidOf('worker'), 'SIGKILL');
  start.process.kill('SIGTERM');
  await untilEnded();
  await expect(fetch(start.url)).rejects.toThrow('fetch failed');
});
