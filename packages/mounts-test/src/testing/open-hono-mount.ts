import { createServer } from 'node:http';
import type { QueueHandler } from '@duework/http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { close, listen, type Mounted } from '../mounted.js';

/** Hono's mount takes the path away. */
export async function openHonoMount(handler: QueueHandler): Promise<Mounted> {
  const app = new Hono();
  app.get('/hello', (c) => c.text('hello'));
  app.mount('/admin/queue', (request: Request) => handler(request));
  const server = createServer(getRequestListener(app.fetch));
  const url = await listen(server);
  return { url, close: () => close(server) };
}
