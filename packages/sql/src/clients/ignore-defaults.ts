/** What is looked at of a client of `pg` that has not connected yet, and of `pg` itself. */
interface Unconnected {
  binary?: boolean;
  connectionParameters?: Record<string, unknown>;
}

const LIMITS = ['query_timeout', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

/**
 * Takes from a client what the program has set on `pg.defaults` for its own clients, as far as it changes how long a
 * statement may take or how values come. Limits of the address stay. Called when the client is made.
 */
export function ignoreDefaults(client: object, defaults: object, url: string | undefined): void {
  const { connectionParameters: limits = {} } = client as Unconnected;
  const asked = url === undefined ? new URLSearchParams() : new URL(url).searchParams;
  for (const name of LIMITS)
    if (!asked.has(name) && limits[name] === (defaults as Record<string, unknown>)[name]) limits[name] = false;
  (client as Unconnected).binary = false;
}
