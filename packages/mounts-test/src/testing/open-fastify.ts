import { toNodeListener, type QueueHandler } from '@duework/http';
import Fastify from 'fastify';
import type { Mounted } from '../mounted.js';

/** Fastify reads bodies before a route, unless a plugin of its own scope leaves them. */
export async function openFastify(handler: QueueHandler): Promise<Mounted> {
  const app = Fastify({ forceCloseConnections: true });
  app.get('/hello', async () => 'hello');
  const listener = toNodeListener(handler);
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    for (const path of ['/admin/queue', '/admin/queue/*'])
      scope.all(path, async (request, reply) => {
        reply.hijack();
        await listener(request.raw, reply.raw);
      });
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return { url, close: () => app.close() };
}
