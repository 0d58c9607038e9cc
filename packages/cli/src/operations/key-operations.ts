import type { ApiKey, CreatedKey, NewKey } from '@duework/operate';
import type { OfShard } from './of-shard.js';

export interface KeyOperations {
  create(key: Omit<NewKey, 'act'>, reason: string | undefined): Promise<CreatedKey>;
  list(): Promise<readonly OfShard<ApiKey>[]>;
  revoke(idOrName: string, reason: string | undefined): Promise<ApiKey>;
}
