import type { Route } from './api.js';
import type { OverQueue } from './over-queue/plan.js';
import type { Plan } from './shards/plans/plan.js';

/** A route of the queue, which says itself how it answers where there is not the one database that `handle` asks. */
export interface QueueRoute extends Route {
  /** Over a queue that is in no database. */
  readonly over: OverQueue;
  /** Over several shards; `none`: it asks none of them, and answers as it is. */
  readonly shards: Plan | 'none';
}

/** Whether it is one of them: any other is of the program that mounts the API. */
export const isOfQueue = (route: Route): route is QueueRoute => 'shards' in route;
