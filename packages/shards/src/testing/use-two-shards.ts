import { beforeAll } from '@jest/globals';
import { useTestDatabase, type TestDatabaseHandle } from '@duework/testing/fixtures';
import { foundShard } from '../found-shard.js';

/** Two databases that are the shards a and b. Call it at the top of a file. */
export function useTwoShards(): { readonly a: TestDatabaseHandle; readonly b: TestDatabaseHandle } {
  const a = useTestDatabase();
  const b = useTestDatabase();
  beforeAll(async () => {
    await foundShard(a.db, 'a');
    await foundShard(b.db, 'b');
  });
  return { a, b };
}
