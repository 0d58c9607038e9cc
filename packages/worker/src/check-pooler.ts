import { describeDatabaseError, parseDatabaseUrl } from '@duework/database';
import type { EngineDatabase } from './open-connections.js';

/**
 * Whether transactions come through a pooler: in statement mode none do, which would only be told by what the worker does now
 * and then.
 *
 * @throws DatabaseError `database_unreachable`
 */
export async function checkPooler(engine: EngineDatabase, url: string): Promise<void> {
  if (!parseDatabaseUrl(url).isPooled || engine.$transaction === undefined) return;
  await engine
    .$transaction(async () => {})
    .catch((error: unknown) => {
      throw describeDatabaseError(error, url);
    });
}
