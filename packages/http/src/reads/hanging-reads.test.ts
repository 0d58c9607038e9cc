import { createKey } from '@duework/operate';
import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { authorizeByKey } from '../access/authorize/authorize-by-key.js';
import { useTestApi } from '../testing/use-test-api.js';
import { waitUntil } from '../testing/wait-until.js';

const api = useTestApi((parts) => ({ authorize: authorizeByKey(parts.db) }));
let ana = {};
let bob = {};
beforeAll(async () => {
  const make = async (name: string) => ({
    Authorization: `Bearer ${(await createKey(api.db, { name, scopes: ['read', 'operate'] })).text}`,
  });
  [ana, bob] = [await make('ana'), await make('bob')];
});

let unlock = (): void => {};
let locked: Promise<unknown> = Promise.resolve();
/** Nobody reads a job meanwhile. */
beforeEach(async () => {
  await new Promise<void>((begin) => {
    locked = api.db.$transaction(
      async (tx) => {
        await tx.$executeRaw`LOCK TABLE duework.job_runs IN ACCESS EXCLUSIVE MODE`;
        const over = new Promise<void>((resolve) => (unlock = resolve));
        begin();
        await over;
      },
      { timeout: 50_000 },
    );
  });
});
afterEach(async () => {
  unlock();
  await locked;
});

const hanging = async (): Promise<number> => {
  const [row] = await api.db.$queryRaw<[{ n: number }]>`
    SELECT count(*)::integer AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return row.n;
};

test.each(['/v1/jobs', '/v1/jobs/count', '/v1/failures'])(
  'what %s asks is cancelled when its client leaves',
  async (path) => {
    const gone = new AbortController();
    const asked = fetch(api.url + path, { headers: ana, signal: gone.signal }).catch(() => null);
    await waitUntil('it hangs', async () => (await hanging()) === 1);
    gone.abort();
    await asked;
    await waitUntil('nothing hangs', async () => (await hanging()) === 0);
  },
);

test('one caller whose questions hang has two connections, and others are answered', async () => {
  const gone = new AbortController();
  const asked = Array.from({ length: 10 }, () => fetch(`${api.url}/v1/jobs`, { headers: ana, signal: gone.signal }));
  const refused = Promise.allSettled(asked);
  await waitUntil('two hang', async () => (await hanging()) === 2);
  for (const path of ['/v1/audit', '/v1/pauses', '/v1/principal']) expect((await api.get(path, bob)).status).toBe(200);
  expect(await hanging()).toBe(2);
  gone.abort();
  await refused;
  await waitUntil('nothing hangs', async () => (await hanging()) === 0);
});

test('what takes too long is refused with a code, and is over in the database', async () => {
  const { status, body } = await api.get('/v1/jobs', ana);
  expect([status, body.code]).toEqual([503, 'query_too_slow']);
  await waitUntil('nothing hangs', async () => (await hanging()) === 0);
});
