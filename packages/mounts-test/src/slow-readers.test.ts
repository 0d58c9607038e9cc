import { connect } from 'node:net';
import { createQueueHandler, type QueueHandler } from '@duework/http';
import { createKey } from '@duework/operate';
import { enqueue } from '@duework/queue-core';
import { echo, testCatalog, useTestDatabase } from '@duework/testing/fixtures';
import { expect, test } from '@jest/globals';
import type { Mounted } from './mounted.js';
import { openExpress } from './testing/open-express.js';
import { openFastify } from './testing/open-fastify.js';
import { openHono } from './testing/open-hono.js';
import { openHonoMount } from './testing/open-hono-mount.js';
import { openNext } from './testing/open-next.js';

const database = useTestDatabase();
const below =
  (open: (handler: QueueHandler) => Promise<Mounted>) =>
  ({ db }: typeof database): Promise<Mounted> =>
    open(createQueueHandler({ db, catalog: testCatalog, basePath: '/admin/queue' }));
const frameworks: [string, (given: typeof database) => Promise<Mounted>][] = [
  ['Hono', below(openHono)],
  ['Hono’s mount', below(openHonoMount)],
  ['Express', below(openExpress)],
  ['Fastify', below(openFastify)],
  ['Next.js', ({ url }) => openNext(url)],
];

test.each(frameworks)(
  'below a path of %s a client that follows and never reads loses its connection',
  async (_, open) => {
    const { db } = database;
    const mounted = await open(database);
    // a handler that is given requests alone knows from its first one on what Node answers by
    expect((await fetch(`${mounted.url}/admin/queue/livez`)).status).toBe(200);
    const { text } = await createKey(db, { name: `k-${process.hrtime.bigint()}`, scopes: ['read', 'payloads'] });
    const { id } = await enqueue(db, echo, { n: 1 });
    const socket = connect(Number(new URL(mounted.url).port), '127.0.0.1').pause();
    socket.on('error', () => {});
    const head = `GET /admin/queue/v1/jobs/${id}/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${text}`;
    socket.write(`${head}\r\n\r\n`);
    while (!socket.destroyed) {
      await db.$executeRaw`
      UPDATE duework.job_runs SET progress = to_jsonb(repeat(random()::text, 150000)) WHERE id = ${id}::bigint`;
      await new Promise((resolve) => setTimeout(resolve, 100));
      // who does not read learns of the end by writing; blank lines before a request mean nothing
      socket.write('\r\n');
    }
    expect(socket.bytesRead).toBe(0);
    await mounted.close();
  },
);
