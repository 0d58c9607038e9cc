/** What is looked at of a client of `pg`, and of what it was made with. */
interface Unconnected {
  binary?: boolean;
  connectionParameters?: Record<string, unknown>;
}

const LIMITS = ['query_timeout', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

/**
 * Takes from a client that has not connected yet what the program has set on `pg.defaults` for its own clients, as far as it
 * changes how long a statement may take or how values come. `given`: what the client was made with, whose limits stay, as do
 * those of its URL.
 */
export function ignoreDefaults(client: object, given: object = {}): void {
  const { connectionParameters = {} } = client as Unconnected;
  const asked = new URLSearchParams((given as { connectionString?: string }).connectionString?.split('?')[1]);
  for (const name of LIMITS) if (!(name in given) && !asked.has(name)) connectionParameters[name] = false;
  (client as Unconnected).binary = false;
}
