import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { HTTP_ERRORS } from '../http-errors.js';

/** Anything that answers a Fetch request. */
export interface FetchHandler {
  readonly fetch: (request: Request) => Response | Promise<Response>;
}

/** The Node server of an app. A request whose address or Host header cannot be read is a problem like any other. */
export function createServer(app: FetchHandler): Server {
  const listener = getRequestListener((request) => app.fetch(request), { errorHandler: answerMalformed });
  return createHttpServer(listener);
}

/** Such a request never becomes one that the app could answer. */
function answerMalformed(): Response {
  const { status, title } = HTTP_ERRORS.malformed_request;
  const requestId = randomUUID();
  const detail = 'The address of the request or its Host header cannot be read.';
  const body = { type: '/problems/malformed_request', title, status, detail, code: 'malformed_request', errors: [], requestId };
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/problem+json', 'X-Request-Id': requestId } });
}
