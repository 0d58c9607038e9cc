import pg from 'pg';

/** A session of the lab's own, past every proxy. */
export interface DirectSession {
  /**
   * Runs a statement, over a new connection when the server has ended the old one. The caller knows the shape of the
   * rows.
   */
  query<T extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<T[]>;
  end(): Promise<void>;
}

/** Connects at its first use. */
export function openDirect(url: string, applicationName = 'torture-lab'): DirectSession {
  let client: pg.Client | null = null;
  async function open(): Promise<pg.Client> {
    const opened = new pg.Client({
      connectionString: url,
      application_name: applicationName,
      options: '-c TimeZone=UTC -c lock_timeout=0',
    });
    opened.on('error', () => {});
    opened.on('end', () => {
      if (client === opened) client = null;
    });
    await opened.connect();
    return opened;
  }
  return {
    async query<T extends object>(text: string, values: readonly unknown[] = []) {
      client ??= await open();
      const { rows } = await client.query(text, [...values]);
      return rows as T[];
    },
    async end() {
      await client?.end().catch(() => {});
      client = null;
    },
  };
}
