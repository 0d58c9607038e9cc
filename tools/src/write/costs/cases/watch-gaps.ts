import type { RawClient } from '@duework/queue-core';

export interface WatchedClient {
  readonly db: RawClient;
  /** The longest time between an answer and the next statement, in milliseconds. */
  readonly longestMs: () => number;
}

/** The same client, watched for how long it waits between two statements. */
export function watchGaps(client: RawClient): WatchedClient {
  let answeredMs: number | null = null;
  let longestMs = 0;
  return {
    db: {
      async $queryRaw<T>(statement: Parameters<RawClient['$queryRaw']>[0]) {
        if (answeredMs !== null) longestMs = Math.max(longestMs, performance.now() - answeredMs);
        const answer = await client.$queryRaw<T>(statement);
        answeredMs = performance.now();
        return answer;
      },
    },
    longestMs: () => longestMs,
  };
}
