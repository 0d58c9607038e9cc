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

const database = useTestDatabase();
// Next.js waits until a client reads, whatever becomes of what it passes on
const frameworks: [string, (handler: QueueHandler) => Promise<Mounted>][] = [
  ['Hono', openHono],
  ['Hono’s mount', openHonoMount],
  ['Express', openExpress],
  ['Fastify', openFastify],
];

test.each(frameworks)(
  'below a path of %s a client that follows and never reads loses its connection',
  async (_, open) => {
    const { db } = database;
    const mounted = await open(createQueueHandler({ db, catalog: testCatalog, basePath: '/admin/queue' }));
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
