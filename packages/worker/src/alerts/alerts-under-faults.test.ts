import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { connectPg, type PgClient } from '@duework/database';
import { createTestDatabase, type TestDatabase } from '@duework/database/testing';
import { startFixture } from '../testing/start-fixture.js';
import { killWorkers, type WorkerProcess } from '../testing/start-worker-process.js';
import { until } from '../testing/until.js';
import type { AlertBody } from './alert-body.js';

const QUEUES = ['a', 'b', 'c'];
const ROUNDS = 6;

let database: TestDatabase;
let db: PgClient;
/** What has come to a witness outside, in its order; it answers every third with an error, and has it all the same. */
const posts: AlertBody[] = [];
let onPost = (): void => {};
const witness = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk: Buffer) => (text += chunk.toString()));
  request.on('end', () => {
    posts.push(JSON.parse(text) as AlertBody);
    response.writeHead(posts.length % 3 === 0 ? 503 : 200).end();
    onPost();
  });
});

beforeAll(async () => {
  database = await createTestDatabase();
  db = connectPg({ url: database.url, poolSize: 2 });
  await new Promise<void>((resolve) => witness.listen(0, '127.0.0.1', resolve));
});
afterEach(() => killWorkers());
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
  witness.closeAllConnections();
  witness.close();
});

const query = (text: string): Promise<unknown> => db.$queryRaw({ text, values: [] });
const start = (): WorkerProcess => {
  const { port } = witness.address() as AddressInfo;
  return startFixture('watch-alerts', {
    env: { DATABASE_URL: database.url, ALERT_WEBHOOK_URL: `http://127.0.0.1:${port}`, ALERT_UNSERVED_SECONDS: '9999' },
    args: [],
    nodeArgs: [],
  });
};

test('each alert begins and is over once, by its id, in a witness outside, whoever is killed and whatever it answers', async () => {
  const watchers = [start(), start()];
  await Promise.all(watchers.map((watcher) => watcher.line('watching')));
  let kills = 0;
  /** Whoever is in the middle of telling it dies, and another one comes. */
  const killOne = async (): Promise<void> => {
    const at = kills++ % 2;
    watchers[at]!.signal('SIGKILL');
    await watchers[at]!.ended;
    watchers[at] = start();
    await watchers[at]!.line('watching');
  };
  const toldOf = (status: string): number =>
    new Set(posts.filter((post) => post.status === status).map(({ id }) => id)).size;
  const awaitTold = async (status: string, round: number): Promise<void> => {
    let hasKilled = false;
    let killed = Promise.resolve();
    onPost = () => {
      if (!hasKilled) killed = killOne();
      hasKilled = true;
    };
    let looks = 0;
    await until(async () => {
      // the minutes go by after which others may tell it, not so often that they take it from whoever tells it just now
      if (++looks % 50 === 0) await query(`UPDATE duework.job_alerts SET tell_at = now()`);
      return toldOf(status) === round * QUEUES.length;
    });
    await killed;
  };

  for (let round = 1; round <= ROUNDS; round++) {
    await query(`INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
      SELECT unnest(ARRAY['${QUEUES.join("','")}']), 'echo', 1, 5, now() - interval '1 hour', '{}', 1`);
    await awaitTold('raised', round);
    await query(`DELETE FROM duework.job_runs`);
    await query(`UPDATE duework.job_alerts SET seen_at = now() - interval '1 hour', returns = 0`);
    await awaitTold('resolved', round);
  }

  expect(kills).toBe(2 * ROUNDS);
  // what was told twice has one id
  const distinct = posts.filter((post, at) => posts.findIndex(({ id }) => id === post.id) === at);
  for (const queue of QUEUES) {
    const own = distinct.filter(({ subject }) => subject === queue);
    expect(own.map(({ status }) => status)).toEqual(
      Array.from({ length: 2 * ROUNDS }, (_, n) => (n % 2 === 0 ? 'raised' : 'resolved')),
    );
    expect(new Set(own.map(({ key }) => key))).toEqual(new Set([`oldest_job_waits_too_long/${queue}`]));
  }
  // only a kill or an error makes somebody tell it again
  expect(posts.length - distinct.length).toBeLessThanOrEqual(kills * QUEUES.length + Math.ceil(posts.length / 3));
});
