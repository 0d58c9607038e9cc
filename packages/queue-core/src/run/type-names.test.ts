import { defineCatalog, defineJob } from '@duework/contracts';
import { startTestWorker } from '@duework/testing';
import { useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { enqueue } from '../enqueue/enqueue.js';
import { getJob } from '../queue/operate.js';
import type { Worker } from '../worker/create-worker.js';
import { complete } from '../settle/outcome.js';

const database = useTestDatabase();
const payload = z.object({ n: z.int() });
let worker: Worker | undefined;
afterEach(() => worker?.stop({ deadlineMs: 0 }));

const NAMES = ['send-mail', 'mail.send', 'sendMail', 'sendmail', 'SendMail', 'send_mail', 'toString', 'constructor'];

test('types and queues are called as teams call them: kebab-case, camelCase, with points, and like methods of objects', async () => {
  const catalog = defineCatalog(NAMES.map((type) => defineJob({ type, queue: `${type}.Queue-1`, payload })));
  const handlers = Object.fromEntries(NAMES.map((type) => [type, () => complete(type)]));
  const queues = catalog.map(({ queue }) => queue);
  const started = await startTestWorker(database.db, { catalog, handlers: handlers as never, queues });
  worker = started.worker;
  const ids = await Promise.all(catalog.map((contract) => enqueue(database.db, contract, { n: 1 })));
  const inSql = await database.db.$queryRaw<{ id: string }[]>`
    SELECT id::text AS id FROM duework.enqueue('mail.send', '{"n": 2}')`;
  await started.events.waitFor('job.succeeded', NAMES.length + 1);
  for (const [index, type] of NAMES.entries())
    expect((await getJob(database.db, ids[index]!.id)).job).toMatchObject({
      type,
      queue: `${type}.Queue-1`,
      result: type,
    });
  expect((await getJob(database.db, inSql[0]!.id)).job).toMatchObject({ type: 'mail.send', status: 'succeeded' });
});
