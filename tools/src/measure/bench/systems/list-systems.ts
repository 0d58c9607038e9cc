import type { System, SystemName } from './system.js';

/** The systems that are compared, in the order of the report. */
export const systems: readonly System[] = [
  {
    name: 'duework',
    title: 'Duework, Prisma',
    head: 'Duework\nPrisma',
    server: 'postgres',
    isOwn: true,
    lanes: ['limited', 'ordered', 'paced', 'shared'],
    load: async () => (await import('./duework.js')).makeAdapter({ client: 'prisma' }),
    loadWorkflows: async () => (await import('./workflows/duework.js')).openWorkflows('prisma'),
  },
  {
    name: 'duework-pg',
    title: 'Duework, pg',
    head: 'Duework\npg',
    server: 'postgres',
    isOwn: true,
    lanes: ['limited', 'ordered', 'paced', 'shared'],
    load: async () => (await import('./duework.js')).makeAdapter({ client: 'pg' }),
    loadWorkflows: async () => (await import('./workflows/duework.js')).openWorkflows('pg'),
  },
  {
    name: 'graphile',
    title: 'graphile-worker, fast',
    head: 'graphile\nfast',
    server: 'postgres',
    rival: 'graphile-worker',
    // named queues; its local queue looks for the next job of one every two seconds, so it has no order here
    lanes: ['limited'],
    load: async () => (await import('./graphile-worker.js')).makeAdapter(),
  },
  {
    name: 'pg-boss',
    title: 'pg-boss',
    head: 'pg-boss',
    server: 'postgres',
    rival: 'pg-boss',
    // groups
    lanes: ['limited', 'ordered'],
    load: async () => (await import('./pg-boss.js')).makeAdapter(),
  },
  {
    name: 'bullmq',
    title: 'BullMQ',
    head: 'BullMQ',
    server: 'redis',
    rival: 'bullmq',
    // a concurrency of one and a rate for the whole queue: groups are not in the open source
    lanes: ['ordered', 'paced'],
    load: async () => (await import('./bullmq.js')).makeAdapter(),
    loadWorkflows: async () => (await import('./workflows/bullmq.js')).openWorkflows,
  },
  {
    name: 'duework-bullmq',
    title: 'Duework on BullMQ',
    head: 'Duework\nBullMQ',
    server: 'redis',
    // beside BullMQ itself
    measures: ['enqueue', 'drain', 'pickup-100', 'pickup-1000'],
    load: async () => (await import('./duework-bullmq.js')).makeAdapter(),
  },
  {
    name: 'dbos',
    title: 'DBOS Transact',
    head: 'DBOS',
    server: 'postgres',
    rival: '@dbos-inc/dbos-sdk',
    isForWorkflows: true,
    load: async () => (await import('./workflows/dbos.js')).adapter,
    loadWorkflows: async () => (await import('./workflows/dbos.js')).openWorkflows,
  },
  {
    name: 'floor',
    title: 'floor, bare SQL',
    head: 'floor',
    server: 'postgres',
    load: async () => (await import('./floor.js')).makeAdapter(),
  },
];

/** The functions of one system, in this process. */
export async function loadAdapter(name: SystemName): ReturnType<System['load']> {
  const system = systems.find((known) => known.name === name);
  if (system === undefined) throw new Error(`There is no system ${JSON.stringify(name)}.`);
  return system.load();
}
