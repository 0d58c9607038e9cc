import { connectPg, connectPrisma, parseDatabaseUrl } from '@duework/database';
import { withDatabaseName, withServer } from '@duework/database/testing';
import { defineCatalog, defineJob } from '@duework/contracts';
import { startTestWorker } from '@duework/testing';
import { useTestDatabase } from '@duework/testing/fixtures';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { enqueue } from '../enqueue/enqueue.js';
import { heartbeatInThread } from '../leases/heartbeat-in-thread.js';

const database = useTestDatabase();
const echo = defineJob({ type: 'echo', payload: z.object({ n: z.int() }), limits: [{ max: 1 }], durable: true });
const catalog = defineCatalog([echo]);

const DEFAULTS: readonly [string, string][] = [
  ['default_transaction_isolation', 'serializable'],
  ['default_transaction_isolation', 'repeatable read'],
  ['statement_timeout', '1ms'],
  ['lock_timeout', '1ms'],
  ['idle_in_transaction_session_timeout', '1ms'],
  ['TimeZone', 'Asia/Kolkata'],
  ['DateStyle', 'German'],
  ['search_path', 'nowhere'],
  ['plpgsql.extra_errors', 'all'],
];

const CLIENTS = { pg: connectPg, Prisma: connectPrisma };

test.each(
  DEFAULTS.flatMap(([setting, value]) =>
    (['pg', 'Prisma'] as const).map((client) => [client, setting, value] as const),
  ),
)(
  'a worker through %s does not depend on its role or database, which have set %s = %s',
  async (client, setting, value) => {
    const { database: name } = parseDatabaseUrl(database.url);
    // from another database: a session of this one would have the setting itself, and 1 ms is too short to take it back
    const alter = (change: string) =>
      withServer(withDatabaseName(database.url, 'postgres'), (admin) =>
        admin.query(`ALTER DATABASE ${name} ${change}`),
      );
    await alter(`SET ${setting} = '${value}'`);
    const db = CLIENTS[client]({ url: database.url, poolSize: 4, role: 'engine' });
    const { worker, events } = await startTestWorker<typeof catalog>(db, {
      catalog,
      handlers: { echo: async ({ step }) => void (await step('one', () => 1)) },
      leases: heartbeatInThread({ ...parseDatabaseUrl(database.url), catalog }),
    });
    for (let n = 0; n < 3; n++) await enqueue(db, echo, { n });
    await events.waitFor('job.succeeded', 3);
    await worker.stop({ deadlineMs: 0 });
    expect(events.named('database.failed')).toEqual([]);
    await db.$disconnect();
    await alter(`RESET ${setting}`);
  },
);
