import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer, type Server, type ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { answerUnreadable } from './answer-unreadable.js';
import { writeProblem } from '../problems/write-problem.js';

/** Anything that answers a Fetch request. */
export interface FetchHandler {
  readonly fetch: (request: Request, env?: object) => Response | Promise<Response>;
}

/**
 * How long a request may take to arrive and its answer to be read, so that a client that sends a byte now and then, or
 * reads none, cannot keep its connection.
 */
export interface ServerLimits {
  readonly headersMs: number;
  readonly requestMs: number;
  /** How long a client may take to read an answer whose last byte is written. */
  readonly readMs: number;
}

const LIMITS: ServerLimits = { headersMs: 15_000, requestMs: 60_000, readMs: 120_000 };

/**
 * How long an idle connection is kept: longer than a load balancer keeps it, 60 s in AWS and 600 s in Google Cloud. One
 * that is closed at this end first answers what the balancer has just sent through it with 502.
 */
const IDLE_MS = 620_000;

/** The Node server of an app. A request that cannot be read is answered with a problem like any other. */
export function createServer(app: FetchHandler, { headersMs, requestMs, readMs }: ServerLimits = LIMITS): Server {
  const listener = getRequestListener((request, env) => app.fetch(request, env), { errorHandler: answerMalformed });
  const options = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: IDLE_MS,
    connectionsCheckingInterval: Math.min(headersMs, 5_000),
    requireHostHeader: false,
  };
  // an unknown expectation is no reason to refuse; a missing Host is refused above
  return createHttpServer(options, (incoming, outgoing) => {
    outgoing.once('prefinish', () => limitReading(outgoing, readMs));
    return listener(incoming, outgoing);
  })
    .on('checkExpectation', listener)
    .on('clientError', answerUnreadable);
}

/** What the system could not take at once belongs to a client that reads slowly, or never. */
function limitReading(outgoing: ServerResponse, readMs: number): void {
  const { socket } = outgoing;
  if (socket === null || socket.writableLength === 0) return;
  const timer = setTimeout(() => socket.destroy(), readMs).unref();
  outgoing.once('close', () => clearTimeout(timer));
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
