import { compareClients, parseDatabaseUrl } from '@duework/database';
import type { Connections } from './open-connections.js';
import type { Log } from './logs/worker-log.js';

/** So many connections are tried at once, at most. */
const MOST_TRIED = 50;

/**
 * Says so where a given client has fewer connections than the handlers that now run at once, each of which may need one. It never
 * rejects: that the database is away, the worker's own statements say.
 */
export async function checkPool(
  { engine, figures }: Connections,
  url: string,
  log: Pick<Log, 'warn'>,
  { slots, before }: { readonly slots: number; readonly before: number },
): Promise<void> {
  // a pooler shows its own connections
  if (slots <= before || parseDatabaseUrl(url).isPooled) return;
  const wanted = Math.min(slots, MOST_TRIED);
  const connections = await compareClients(engine, figures, wanted).then(
    (compared) => compared.connections,
    () => wanted,
  );
  if (connections < wanted)
    log.warn(
      { connections, wanted, remedy: 'handlers may wait for its connections: give its adapter a larger max' },
      'prisma.pool_small',
    );
}
