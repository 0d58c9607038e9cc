import type { ApiContext } from '../../api.js';
import type { Shards } from '../shards.js';

/** How a route answers over several shards. */
export interface Plan {
  /** `operationId`: of the route, which each shard has, too. */
  readonly handle: (shards: Shards, c: ApiContext, operationId: string) => Promise<Response>;
  /** It may be asked of one shard, by `?shard=`. */
  readonly takesShard?: true;
  /** It is made of what several answer, and says whose part is missing. */
  readonly isMerged?: true;
  /** The field of its rows, or '' itself, that says its shard. */
  readonly tagged?: string;
  /** What the document says beside what it says of a single database. */
  readonly says?: string;
}
