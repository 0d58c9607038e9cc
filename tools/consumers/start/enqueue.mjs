/** `node enqueue.mjs duework`: makes what the system needs in the database, and enqueues one job. */
import pg from 'pg';

const connectionString = process.env.DATABASE_URL;
const ways = {
  async duework() {
    const [{ enqueue }, { migrateDatabase }, { greet }] = await Promise.all([
      import('duework'),
      import('duework/migrate'),
      import('./jobs.mjs'),
    ]);
    await migrateDatabase({ url: connectionString });
    const client = new pg.Client({ connectionString });
    await client.connect();
    await enqueue(client, greet, { name: 'Ana' });
    await client.end();
  },
  async 'graphile-worker'() {
    const { Logger, quickAddJob } = await import('graphile-worker');
    await quickAddJob({ connectionString, logger: new Logger(() => () => {}) }, 'greet', { name: 'Ana' });
  },
  async 'pg-boss'() {
    const { PgBoss } = await import('pg-boss');
    const boss = new PgBoss({ connectionString, supervise: false });
    await boss.start();
    if ((await boss.getQueue('greet')) === null) await boss.createQueue('greet');
    await boss.send('greet', { name: 'Ana' });
    await boss.stop({ graceful: false });
  },
};
await ways[process.argv[2]]();
