import { createServer } from 'node:http';
import { toNodeListener, type QueueHandler } from '@duework/http';
import express from 'express';
import { close, listen, type Mounted } from '../mounted.js';

/** Express takes the path away; `isParsed`: its parser has read the body before. */
export async function openExpress(handler: QueueHandler, isParsed = false): Promise<Mounted> {
  const app = express();
  if (isParsed) app.use(express.json());
  app.get('/hello', (_request, response) => void response.send('hello'));
  app.use('/admin/queue', toNodeListener(handler));
  const server = createServer(app);
  const url = await listen(server);
  return { url, close: () => close(server) };
}
