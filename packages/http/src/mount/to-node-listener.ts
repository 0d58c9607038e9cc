import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { QueueHandler } from '../create-queue-handler.js';

/** A request whose body another middleware, such as `express.json()`, may have read. */
type Read = IncomingMessage & { body?: unknown; rawBody?: Buffer };

/**
 * A handler for frameworks of Node's own requests and answers: Express, Fastify, Connect, `node:http`. If a parser has
 * read a JSON body before, it is written again; `authorize` gets the clients' addresses.
 */
export function toNodeListener(
  handler: QueueHandler,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  // the globals belong to the program that mounts it
  const listen = getRequestListener((request, env) => handler(request, env), { overrideGlobalObjects: false });
  return async (incoming: Read, outgoing) => {
    if (incoming.readableEnded && incoming.body !== undefined && incoming.rawBody === undefined) {
      incoming.rawBody = Buffer.isBuffer(incoming.body) ? incoming.body : Buffer.from(JSON.stringify(incoming.body));
      incoming.headers['content-length'] = String(incoming.rawBody.length);
    }
    await listen(incoming, outgoing);
  };
}
