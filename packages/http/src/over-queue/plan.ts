import type { JobQueue } from '@duework/queue-core';
import type { ApiContext, ApiParts, Route } from '../api.js';

/** What a plan is made of: the parts of the API, and its queue. */
export type QueueParts = ApiParts & { readonly queue: JobQueue };

/** How a route answers over a queue without a database. */
export interface Plan {
  readonly handle: (c: ApiContext, route: Route) => Response | Promise<Response>;
  /** What the document says beside what it says of a database. */
  readonly says?: string;
}
