import type { PrismaClient } from '@duework/database';

/** A statement in a race, as far as it has come: it waits for somebody who has locked a row, or it has its answer. */
export interface Begun<T> {
  readonly isWaiting: boolean;
  readonly answer: Promise<T>;
}

/**
 * Begins a statement on a connection of its own and returns when PostgreSQL shows it waiting for a row that is locked, or when it has
 * ended. `client` has one connection; `watcher` is another client.
 */
export async function untilItWaits<T>(
  watcher: PrismaClient,
  client: PrismaClient,
  act: (client: PrismaClient) => Promise<T>,
): Promise<Begun<T>> {
  const [session] = await client.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  let hasEnded = false;
  const answer = act(client).finally(() => (hasEnded = true));
  // whoever awaits it hears of its failure
  answer.catch(() => {});
  for (;;) {
    const waiting = await watcher.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_locks WHERE pid = ${session!.pid}::integer AND NOT granted AND locktype IN ('transactionid', 'tuple')`;
    if (hasEnded || waiting.length > 0) return { isWaiting: !hasEnded, answer };
  }
}
