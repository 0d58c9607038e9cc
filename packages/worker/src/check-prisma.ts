import { compareClients, type DatabaseAddress } from '@duework/database';
import { ENGINE_POOL, type Connections } from './open-connections.js';
import { OptionsError } from './settings/options-error.js';
import type { Log } from './logs/worker-log.js';

/**
 * Whether a given client asks the database in which this worker keeps its leases, and says so where it has too few
 * connections: a worker claims, settles and looks after the queue at once.
 *
 * @throws OptionsError when it asks another database: what it claimed there would be taken from it
 */
export async function checkPrisma(
  { engine, figures }: Connections,
  { isPooled }: Pick<DatabaseAddress, 'isPooled'>,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  const { elsewhere, connections } = await compareClients(engine, figures, ENGINE_POOL);
  if (elsewhere !== null)
    throw new OptionsError([
      `prisma asks the database ${elsewhere.theirs}, and DATABASE_URL is another one, ${elsewhere.ours}: give both the same.`,
    ]);
  // a pooler shows its own connections
  if (connections < ENGINE_POOL && !isPooled)
    log.warn(
      { connections, wanted: ENGINE_POOL, remedy: 'give its adapter ...prismaPool(DATABASE_URL), or a larger max' },
      'prisma.pool_small',
    );
}
