export const CONNECT_TIMEOUT_MS = 5_000;

/** The options of every pool of connections. */
export interface ConnectOptions {
  readonly url: string;
  /** The largest number of connections. Default: 10. */
  readonly poolSize?: number;
  /** The name of its sessions in pg_stat_activity. */
  readonly applicationName?: string;
  /** How long a statement, or a transaction, waits for a connection, new or from the pool. Default: 5,000 ms. */
  readonly connectTimeoutMs?: number;
  /**
   * How long the server lets a statement run; without it the URL or the server decides. It does not work through a
   * pooler.
   */
  readonly statementTimeoutMs?: number;
  /** Called for every broken connection; the pool replaces it. */
  readonly onConnectionLost?: (error: Error) => void;
}
