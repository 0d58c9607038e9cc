import type { Queryable } from '@duework/queue-core';

type RawClient = Extract<Queryable, { $queryRaw: unknown }>;

/** Sends the statements of a worker one after the other, because a transaction has one connection. */
export function oneByOne(given: Queryable): Queryable {
  const db = given as RawClient;
  let last: Promise<unknown> = Promise.resolve();
  return {
    $queryRaw<T>(...args: Parameters<RawClient['$queryRaw']>): Promise<T> {
      const answer = last.then(() => db.$queryRaw<T>(...args));
      last = answer.catch(() => {});
      return answer;
    },
  };
}
