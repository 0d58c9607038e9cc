import pg from 'pg';

/** What a test has pinned; `pid` is undefined when no session of its own does it. */
export interface Pin {
  readonly pid?: number;
}

export type Pinner = ReturnType<typeof createPinner>;

/** Makes whatever can pin the horizon, on a server of one's own, and takes all of it back. */
export function createPinner(url: () => string) {
  const clients: pg.Client[] = [];
  const undo: string[] = [];

  async function connect(
    applicationName = 'pinner',
    options: { database?: string; replication?: 'true' } = {},
  ): Promise<pg.Client> {
    const target = new URL(url());
    if (options.database !== undefined) target.pathname = `/${options.database}`;
    const client = new pg.Client({
      connectionString: target.toString(),
      application_name: applicationName,
      ...options,
    } as pg.ClientConfig);
    client.on('error', () => {});
    await client.connect();
    clients.push(client);
    return client;
  }

  async function run(client: pg.Client, statements: readonly string[]): Promise<Pin> {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    for (const statement of statements) await client.query(statement);
    return { pid: rows[0]!.pid };
  }

  async function waitFor(condition: string, values: unknown[]): Promise<void> {
    const watcher = await connect('watcher');
    for (;;) {
      const { rows } = await watcher.query<{ is_so: boolean }>(`SELECT EXISTS (${condition}) AS is_so`, values);
      if (rows[0]!.is_so) break;
    }
    await watcher.end();
  }

  /** Starts a statement that does not end by itself; returns the pid when it has a snapshot. */
  async function start(client: pg.Client, statement: string): Promise<number> {
    const { pid } = await run(client, []);
    client.query(statement).catch(() => {});
    await waitFor('SELECT FROM pg_stat_activity WHERE pid = $1 AND query = $2 AND backend_xmin IS NOT NULL', [
      pid,
      statement,
    ]);
    return pid!;
  }

  return {
    connect,
    start,
    session: async (...statements: string[]) => run(await connect(), statements),
    sessionElsewhere: async (...statements: string[]) =>
      run(await connect('pinner', { database: 'elsewhere' }), statements),
    /** A statement that goes on and on; VACUUM and ANALYZE rest after each page. */
    async call(statement: string): Promise<Pin> {
      const client = await connect();
      await client.query('SET vacuum_cost_delay = 100; SET vacuum_cost_limit = 1');
      const pid = await start(client, statement);
      if (/^(VACUUM|ANALYZE)/.test(statement)) {
        const view = statement.startsWith('VACUUM') ? 'pg_stat_progress_vacuum' : 'pg_stat_progress_analyze';
        await waitFor(`SELECT FROM ${view} WHERE pid = $1`, [pid]);
      }
      return { pid };
    },
    async prepared(gid: string): Promise<Pin> {
      const quoted = pg.escapeLiteral(gid);
      await run(await connect(), ['BEGIN', 'CREATE TABLE public.prepared ()', `PREPARE TRANSACTION ${quoted}`]);
      undo.push(`ROLLBACK PREPARED ${quoted}`);
      return {};
    },
    async logicalSlot(name: string): Promise<Pin> {
      await run(await connect(), [`SELECT pg_create_logical_replication_slot('${name}', 'pgoutput')`]);
      undo.push(`SELECT pg_drop_replication_slot('${name}')`);
      return {};
    },
    /** As much of a standby as the primary sees: it streams, and tells the oldest transaction that its queries need. */
    async standby(slot: string | null, { isGone = false } = {}): Promise<Pin> {
      if (slot !== null) {
        await run(await connect(), [`SELECT pg_create_physical_replication_slot('${slot}', true)`]);
        undo.push(`SELECT pg_drop_replication_slot('${slot}')`);
      }
      const { rows } = await (
        await connect()
      ).query<{ xid: string }>('SELECT pg_snapshot_xmin(pg_current_snapshot())::xid::text AS xid');
      const client = await connect('standby', { replication: 'true' });
      const { rows: system } = await client.query<{ xlogpos: string }>('IDENTIFY_SYSTEM');
      const slotClause = slot === null ? '' : `SLOT ${slot} `;
      client.query(`START_REPLICATION ${slotClause}PHYSICAL ${system[0]!.xlogpos}`).catch(() => {});
      const { connection } = client as unknown as {
        connection: { once(event: string, act: () => void): void; sendCopyFromChunk(chunk: Buffer): void };
      };
      await new Promise<void>((resolve) => connection.once('replicationStart', resolve));
      connection.sendCopyFromChunk(feedback(Number(rows[0]!.xid)));
      if (slot === null)
        await waitFor(`SELECT FROM pg_stat_replication WHERE backend_xmin IS NOT NULL AND state = 'streaming'`, []);
      else await waitFor('SELECT FROM pg_replication_slots WHERE slot_name = $1 AND xmin IS NOT NULL', [slot]);
      if (isGone) {
        await client.end();
        await waitFor('SELECT FROM pg_replication_slots WHERE slot_name = $1 AND NOT active', [slot]);
      }
      return {};
    },
    /** Ends all of it. */
    async release(): Promise<void> {
      const client = await connect('releaser');
      await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND application_name IN ('pinner', 'batch', 'standby')`,
      );
      await waitFor(
        `SELECT WHERE NOT EXISTS (SELECT FROM pg_stat_activity WHERE application_name IN ('pinner', 'batch', 'standby'))`,
        [],
      );
      for (const statement of undo.splice(0)) await client.query(statement);
      await Promise.all(clients.splice(0).map((each) => each.end().catch(() => {})));
    },
  };
}

/** A "hot standby feedback" message: its time, the oldest transaction and its epoch, the same for catalogs (none). */
function feedback(xid: number): Buffer {
  const message = Buffer.alloc(25);
  message.write('h', 0);
  message.writeUInt32BE(xid, 9);
  return message;
}
