/** What every pool of connections is told. */
export interface ConnectOptions {
  readonly url: string;
  /** Connections at most. Default: 10. */
  readonly poolSize?: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName?: string;
  /** How long to wait for a connection, new or from the pool. Default: 5,000 ms. */
  readonly connectTimeoutMs?: number;
  /** How long the server lets a statement run; unless given, what the URL or the server says. Not through a pooler. */
  readonly statementTimeoutMs?: number;
  /** Told about every connection that broke; the pool replaces it by itself. */
  readonly onConnectionLost?: (error: Error) => void;
}
