import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cleanupNightly } from '@duework/shop';
import { enqueue } from '@duework/queue-core';
import { deleteOldFiles } from '../cleanup/delete-old-files.js';
import { createOrder } from '../testing/create-order.js';
import { openTestDatabase } from '../testing/open-test-database.js';
import { startTestWorker, type TestWorker } from '../testing/start-test-worker.js';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let worker: TestWorker;
let base: string;
let tempDir: string;
const never = new AbortController().signal;

beforeAll(async () => {
  database = await openTestDatabase();
  base = await mkdtemp(join(tmpdir(), 'duework-cleanup-'));
  tempDir = join(base, 'temp');
  worker = await startTestWorker({ ...database, tempDir });
});
afterAll(async () => {
  await worker.stop();
  await database.close();
  await rm(base, { recursive: true });
});

async function writeOld(path: string): Promise<void> {
  await writeFile(path, 'old');
  const longAgo = new Date(Date.now() - 48 * 3_600_000);
  await utimes(path, longAgo, longAgo);
}

test('expired sessions and old files are deleted, and the report says how many', async () => {
  const { user } = await createOrder(database.db);
  const sessions = Array.from({ length: 1_203 }, (_, index) => ({
    id: `s${index}`,
    userId: user.id,
    expiresAt: new Date(index < 1_200 ? 1_000 : Date.now() + 3_600_000),
  }));
  await database.db.session.createMany({ data: sessions });
  await mkdir(join(tempDir, 'deep', 'deeper'), { recursive: true });
  await writeOld(join(tempDir, 'old.txt'));
  await writeOld(join(tempDir, 'deep', 'deeper', 'old.txt'));
  await writeFile(join(tempDir, 'young.txt'), 'young');

  const job = await enqueue(database.db, cleanupNightly, { day: '2026-11-20' });
  expect(await worker.end(job.id)).toMatchObject({ name: 'job.succeeded' });
  expect(await database.db.session.count()).toBe(3);
  expect((await readdir(tempDir)).sort()).toEqual(['cleanup-2026-11-20.json', 'deep', 'young.txt']);
  expect(await readdir(join(tempDir, 'deep', 'deeper'))).toEqual([]);
  expect(JSON.parse(await readFile(join(tempDir, 'cleanup-2026-11-20.json'), 'utf8'))).toEqual({
    day: '2026-11-20',
    sessions: 1_200,
    files: 2,
  });
  const { result } = await database.db.jobHistory.findFirstOrThrow({ where: { id: BigInt(job.id) } });
  expect(result).toEqual({ sessions: 1_200, files: 2 });
});

test('the cleanup deletes nothing outside its folder', async () => {
  const outside = join(base, 'outside');
  const root = join(base, 'linked');
  await mkdir(outside);
  await mkdir(root);
  await writeOld(join(outside, 'precious.txt'));
  await symlink(outside, join(root, 'folder'));
  await symlink(join(outside, 'precious.txt'), join(root, 'file'));
  await symlink('..', join(root, 'up'));
  await writeOld(join(root, 'old.txt'));

  expect(await deleteOldFiles(root, new Date(), never)).toBe(1);
  expect(await readdir(outside)).toEqual(['precious.txt']);
  expect((await readdir(root)).sort()).toEqual(['file', 'folder', 'up']);
});

test('the cleanup follows a folder that is a link itself, and accepts a missing folder', async () => {
  const real = join(base, 'real');
  await mkdir(real);
  await writeOld(join(real, 'old.txt'));
  await symlink(real, join(base, 'alias'));
  expect(await deleteOldFiles(join(base, 'alias'), new Date(), never)).toBe(1);
  expect(await deleteOldFiles(join(base, 'missing'), new Date(), never)).toBe(0);
});

test('the cleanup ends when its signal aborts', async () => {
  const root = join(base, 'stopped');
  await mkdir(root);
  await writeOld(join(root, 'old.txt'));
  const reason = new Error('stop');
  await expect(deleteOldFiles(root, new Date(), AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(await readdir(root)).toEqual(['old.txt']);
});
