import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { answerUnreadable } from './answer-unreadable.js';
import { writeProblem } from '../problems/write-problem.js';

/** Anything that answers a Fetch request. */
export interface FetchHandler {
  readonly fetch: (request: Request, env?: object) => Response | Promise<Response>;
}

/**
 * How long a request may take to arrive, so that a client that sends a byte now and then cannot keep its connection, nor
 * one that does not read its answer.
 */
export interface ServerLimits {
  readonly headersMs: number;
  readonly requestMs: number;
  /** How long nothing may be sent or read on a connection: longer than a request may wait for a job. */
  readonly idleMs: number;
}

const LIMITS: ServerLimits = { headersMs: 15_000, requestMs: 60_000, idleMs: 90_000 };

/** The Node server of an app. A request that cannot be read is answered with a problem like any other. */
export function createServer(app: FetchHandler, { headersMs, requestMs, idleMs }: ServerLimits = LIMITS): Server {
  const listener = getRequestListener((request, env) => app.fetch(request, env), { errorHandler: answerMalformed });
  const options = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(headersMs, 5_000),
    requireHostHeader: false,
  };
  // an unknown expectation is no reason to refuse; a missing Host is refused above
  const server = createHttpServer(options, listener);
  server.setTimeout(idleMs);
  return server.on('checkExpectation', listener).on('clientError', answerUnreadable);
}

/** Such a request never gets to the app. */
function answerMalformed(): Response {
  const { status, headers, body } = writeProblem(
    'malformed_request',
    'The address of the request or its Host header cannot be read.',
    randomUUID(),
  );
  return new Response(body, { status, headers });
}
