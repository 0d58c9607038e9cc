import type { Queryable } from '@duework/queue-core';

/** A library's client on one database, as a team has it. */
export interface OpenedClient {
  /** As it is passed outside of a transaction. */
  readonly client: Queryable;
  /** Begins a transaction of the library's own; `run` gets it as it is passed, and writes a row through it. */
  transact<T>(run: (tx: Queryable, writeRow: (id: number) => Promise<unknown>) => Promise<T>): Promise<T>;
  close(): Promise<unknown>;
}

export type OpenClient = (url: string) => OpenedClient | Promise<OpenedClient>;
