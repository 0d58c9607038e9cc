import { connectPg, openOwnerSession } from '@duework/database';
import { withServer } from '@duework/database/testing';
import { careForIndexes } from '@duework/operate';
import { beforeAll, expect, test } from '@jest/globals';
import { useProgram } from '../testing/use-program.js';

const { api, run, runWith } = useProgram();
const rebuild = async (given: Parameters<typeof runWith>[0], ...more: string[]) => {
  const db = connectPg({ url: api.databaseUrl, poolSize: 1 });
  try {
    return await runWith(
      { otherDb: async () => db, ...given },
      'database',
      'indexes',
      '--rebuild',
      '--over',
      '1',
      ...more,
    );
  } finally {
    await db.$disconnect();
  }
};

const bloat = (): Promise<void> =>
  withServer(api.databaseUrl, async (client) => {
    for (const statement of [
      'ALTER TABLE duework.job_keys SET (autovacuum_enabled = off)',
      'DROP INDEX IF EXISTS duework.job_keys_needed_at_idx',
      `INSERT INTO duework.job_keys (job_type, key, run_id) SELECT 'greet', 'k' || n, n FROM generate_series(1, 60000) AS n`,
      'VACUUM ANALYZE duework.job_keys',
      'DELETE FROM duework.job_keys WHERE run_id % 20 > 0',
      'VACUUM ANALYZE duework.job_keys',
    ])
      await client.query(statement);
  });
beforeAll(bloat);

test('indexes are listed with their empty space, and those to mend are a finding', async () => {
  const { out, code } = await run('database', 'indexes', '--over', '1');
  expect(out).toMatch(/^INDEX +TABLE +SIZE +NEEDED +STATE$/m);
  expect(out).toMatch(/^job_keys_pkey +job_keys +\d\.\d MB +\d+ kB +mostly empty$/m);
  expect(out).toMatch(/\nMend them: npx duework indexes --rebuild\n$/);
  expect(code).toBe(3);
  expect((await run('database', 'indexes')).code).toBe(0);
  await expect(run('api', 'indexes')).rejects.toMatchObject({ code: 'needs_database' });
});

test('one that another program rebuilds at the moment is not rebuilt twice', async () => {
  const other = await openOwnerSession(api.databaseUrl, 'other');
  try {
    await careForIndexes(other, { cancelThrough: api.db });
    await expect(rebuild({})).rejects.toMatchObject({ code: 'index_care_running' });
  } finally {
    await other.close();
  }
});

test('Ctrl-C ends a rebuild, and cleans up after it', async () => {
  let interrupt = (): void => {};
  const told: string[] = [];
  await withServer(api.databaseUrl, async (client) => {
    // its snapshot keeps the rebuild from its beginning
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await client.query('SELECT 1');
    const given = {
      onSignal: (listen: () => void) => void (interrupt = listen),
      progress: (text: string) => {
        told.push(text);
        interrupt();
      },
    };
    await expect(rebuild(given)).rejects.toMatchObject({ code: 'interrupted' });
  });
  expect(told.join('')).toMatch(/^Rebuilding job_keys_pkey \(\d\.\d MB\), 1 of \d+ …\n/);
  expect((await run('database', 'indexes')).out).not.toContain('left over');
});

test('they are rebuilt, and the audit says who did it and why', async () => {
  const { out, code, told } = await rebuild({}, '--reason', 'the disk');
  expect(out).toMatch(/^job_keys_pkey is rebuilt: \d\.\d MB became \d+ kB\.$/m);
  expect(told).toMatch(/^Rebuilding job_keys_pkey /m);
  expect(code).toBe(0);
  expect((await run('database', 'indexes', '--over', '1')).code).toBe(0);
  expect((await run('database', 'audit', '--kind', 'index')).out).toMatch(
    /rebuild_index +index job_keys_pkey +the disk /,
  );
  expect((await rebuild({})).out).toMatch(/^No index of \S+ needs it\.\n$/);
});
