import type { BlockList } from 'node:net';
import type { ApiContext } from '../../api.js';
import type { Caller } from './authorize.js';
import { findCaller } from './find-caller.js';

/** Who is at the other end of a request; its connection is known where a Node server tells it. */
export function callerOf(c: ApiContext, proxies: BlockList): Caller {
  const bindings = c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined;
  return findCaller(c.req.raw.headers, bindings?.incoming?.socket?.remoteAddress ?? null, proxies);
}
