import { DueworkError } from '@duework/sql/errors';

/** What a Redis says of itself, and of no single command. */
const AWAY = /^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|OOM|MISCONF|NOREPLICAS|NOAUTH|WRONGPASS|BUSY|TRYAGAIN)\b/;

/** Whether an error is one that Redis has answered with, and says that it takes nothing at the moment. */
export const saysAway = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ReplyError' && AWAY.test(error.message);

/** Throws `redis_away` for such an error, and any other one as it is. */
export function tellAway(error: unknown): never {
  if (!saysAway(error)) throw error;
  throw new DueworkError('redis_away', { problem: (error as Error).message }, { cause: error });
}
