import type { AdaptedClient } from './adapted-client.js';

/**
 * Adapts each client once: an object of a library that stands for one transaction is one transaction here, too, however
 * often it is passed, and so its first statement proves for all of them that they run inside of it.
 */
export function keepAdapted<TClient extends object, TMore extends unknown[]>(
  make: (client: TClient, ...more: TMore) => AdaptedClient,
): (client: TClient, ...more: TMore) => AdaptedClient {
  const kept = new WeakMap<TClient, AdaptedClient>();
  return (client, ...more) => {
    let adapted = kept.get(client);
    if (adapted === undefined) kept.set(client, (adapted = make(client, ...more)));
    return adapted;
  };
}
