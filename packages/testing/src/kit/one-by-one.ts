import type { Queryable } from '@duework/queue-core';
import { recogniseClient } from '@duework/sql';

/** Sends the statements of a worker one after the other, because a transaction has one connection. */
export function oneByOne(db: Queryable): Queryable {
  const client = recogniseClient(db);
  let last: Promise<unknown> = Promise.resolve();
  return {
    isTransaction: true,
    isSealed: true,
    $queryRaw<T>(...args: Parameters<typeof client.$queryRaw>): Promise<T> {
      const answer = last.then(() => client.$queryRaw<T>(...args));
      last = answer.catch(() => {});
      return answer;
    },
  };
}
