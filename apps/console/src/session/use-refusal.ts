import type { Operations } from '../api/api-types.js';
import { usePrincipal, type Principal } from './use-principal.js';

export type Operation = keyof Operations;

/** Of what queue the API is; undefined until it has said so. */
export const useQueueBehind = (): Principal['queue'] | undefined => usePrincipal().data?.queue;

/** Why the API refuses an operation here, in a sentence; null: it does not, or has not said so yet. */
export const useRefusal = (operation: Operation): string | null => findRefusal(usePrincipal().data, operation);

/** The same of a principal that is known: what its queue refuses whoever asks, and what it may not do itself. */
export const findRefusal = (who: Principal | undefined, operation: Operation): string | null =>
  [...(who?.queue.refuses ?? []), ...(who?.refuses ?? [])].find((one) => one.operation === operation)?.why ?? null;

/** Whether the API does it here, for whoever is signed in. What it refuses is not asked for. */
export const useIsDone = (operation: Operation): boolean => {
  const who = usePrincipal().data;
  return who !== undefined && findRefusal(who, operation) === null;
};
