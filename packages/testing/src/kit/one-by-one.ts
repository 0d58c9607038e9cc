import type { Queryable } from '@duework/queue-core';

/** Sends the statements of a worker one after the other, because a transaction has one connection. */
export function oneByOne(db: Queryable): Queryable {
  let last: Promise<unknown> = Promise.resolve();
  return {
    $queryRaw<T>(...args: Parameters<Queryable['$queryRaw']>): Promise<T> {
      const answer = last.then(() => db.$queryRaw<T>(...args));
      last = answer.catch(() => {});
      return answer;
    },
  };
}
