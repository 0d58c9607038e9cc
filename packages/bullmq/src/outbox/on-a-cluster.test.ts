import { jobRequest, type Worker } from '@duework/queue-core';
import { carryForwards, forwardJob, forwardWaiting, originOf } from '@duework/shards';
import { startTestWorker } from '@duework/testing';
import { charge, echo, untilJob, useTestDatabase } from '@duework/testing/fixtures';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Cluster } from 'ioredis';
import { openBullmqQueue } from '../open-bullmq-queue.js';
import { startRedisCluster, type RedisCluster } from '../testing/start-redis-cluster.js';
import { bringBack } from './bring-back.js';
import { bullmqTarget, type BullmqTarget } from './bullmq-target.js';
import { openDedicated } from './open-dedicated.js';

const database = useTestDatabase();
let servers: RedisCluster;
let connection: Cluster;
let target: BullmqTarget;
let worker: Worker;

beforeAll(async () => {
  servers = await startRedisCluster();
  connection = servers.connect();
  target = bullmqTarget({ connection });
  const handlers = { duework_forward: carryForwards(await originOf(database.db), { dedicated: target }) };
  ({ worker } = await startTestWorker(database.db, { catalog: [forwardJob], handlers }));
});
afterAll(async () => {
  await worker.stop({ deadlineMs: 0 });
  target.close();
  connection.disconnect();
  await servers.stop();
});

test('on a cluster forwards are carried, come back and go there again', async () => {
  const dedicated = openBullmqQueue({ connection });
  const queue = openDedicated({ db: database.db, dedicated, types: ['echo', 'charge'] });
  const requests = Array.from({ length: 20 }, (_, n) => jobRequest(n % 2 === 0 ? echo : charge, payloadOf(n) as never));
  const jobs = await database.db.$transaction((tx) => queue.in(tx).enqueueMany(requests));
  for (const { id } of jobs) await untilJob(database.db, id, { status: 'succeeded' });
  for (const contract of [echo, charge])
    expect(await bringBack({ db: database.db, connection, contract })).toEqual({ brought: 10, left: 0 });
  for (const { id } of jobs) expect((await queue.getJob(id)).job.id).toMatch(/^\d+$/);
  for (const contract of [echo, charge])
    expect(await forwardWaiting(database.db, 'dedicated', contract)).toEqual({ forwarded: 10, left: 0 });
  while ((await database.db.jobRun.count()) > 0);
  expect((await dedicated.queueDepth()).reduce((sum, { due }) => sum + due, 0)).toBe(20);
  for (const { id } of jobs) expect((await queue.getJob(id)).job.id).toMatch(/^default:f/);
});

const payloadOf = (n: number): object => (n % 2 === 0 ? { n } : { invoice: n });
