import { createServer } from 'node:http';
import type { QueueHandler } from '@duework/http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { close, listen, type Mounted } from '../mounted.js';

/** Hono leaves the path whole. */
export async function openHono(handler: QueueHandler): Promise<Mounted> {
  const app = new Hono();
  app.get('/hello', (c) => c.text('hello'));
  app.all('/admin/queue/*', (c) => handler(c.req.raw, c.env));
  app.all('/admin/queue', (c) => handler(c.req.raw, c.env));
  const server = createServer(getRequestListener(app.fetch));
  const url = await listen(server);
  return { url, close: () => close(server) };
}
