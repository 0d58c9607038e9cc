import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';

/** What Node answers by, in the course of each request; weakly, because a pool's connection that is opened then outlives it. */
let answers: AsyncLocalStorage<WeakRef<ServerResponse>> | undefined;

/**
 * What a server tells beside a request, with what Node answers it by. A framework that gives its handlers nothing but the
 * request, as Next.js does, waits for a client to read, whatever becomes of the answer's body: its connection is ended by this.
 * Node itself tells of each request that comes in, from the first one on that this was called for.
 */
export function withOutgoing(request: Request, env: unknown): object {
  const given = (env ?? {}) as { readonly outgoing?: object };
  if (given.outgoing !== undefined) return given;
  answers ??= followRequests();
  const outgoing = answers.getStore()?.deref();
  return outgoing !== undefined && isOf(outgoing, request) ? { ...given, outgoing } : given;
}

/** Not of one that the program makes for itself while it answers another. */
function isOf({ req }: ServerResponse, { method, url }: Request): boolean {
  const { pathname, search } = new URL(url);
  return req.method === method && req.url?.endsWith(pathname + search) === true;
}

function followRequests(): AsyncLocalStorage<WeakRef<ServerResponse>> {
  const followed = new AsyncLocalStorage<WeakRef<ServerResponse>>();
  subscribe('http.server.request.start', (message) =>
    followed.enterWith(new WeakRef((message as { readonly response: ServerResponse }).response)),
  );
  return followed;
}
