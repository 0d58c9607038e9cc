import type { Operations } from '../api/api-types.js';
import { usePrincipal, type Principal } from './use-principal.js';

export type Operation = keyof Operations;

/** Of what queue the API is; undefined until it has said so. */
export const useQueueBehind = (): Principal['queue'] | undefined => usePrincipal().data?.queue;

/** Why the API refuses an operation here, whoever asks, in a sentence; null: it does not, or has not said so yet. */
export const useRefusal = (operation: Operation): string | null => findRefusal(useQueueBehind(), operation);

/** The same of a queue that is known. */
export const findRefusal = (queue: Principal['queue'] | undefined, operation: Operation): string | null =>
  queue?.refuses.find((one) => one.operation === operation)?.why ?? null;

/** Whether the API does it here. What it refuses is not asked for. */
export const useIsDone = (operation: Operation): boolean => {
  const queue = useQueueBehind();
  return queue !== undefined && findRefusal(queue, operation) === null;
};
