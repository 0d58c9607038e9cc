import type { JobQueue } from '@duework/queue-core';
import type { Capabilities } from '@duework/queue-core/ports';
import type { ApiContext, ApiParts, Route } from '../api.js';

/** What a plan is made of: the parts of the API, and its queue. */
export type QueueParts = ApiParts & { readonly queue: JobQueue };

/** How a route answers over a queue without a database, where it does so in another way than over one. */
export interface Plan {
  readonly handle: (c: ApiContext, route: Route) => Response | Promise<Response>;
  /** What the document says beside what it says of a database. */
  readonly says?: string;
}

/** A route that is refused, in a sentence, unless the store can do what it needs. */
export interface Refused {
  readonly refused: string;
  readonly unless?: { readonly can: keyof Capabilities; readonly plan: Plan | 'same' };
}

/** How a route answers over any queue; `same`: it asks the queue, or nothing at all, and answers as over a database. */
export type OverQueue = Plan | Refused | 'same';

/** The same over a queue of which it is known what its store can do. */
export function planFor(over: OverQueue, capabilities: Capabilities): Plan | 'same' | { readonly refused: string } {
  if (over === 'same' || !('refused' in over)) return over;
  return over.unless !== undefined && capabilities[over.unless.can] ? over.unless.plan : over;
}
