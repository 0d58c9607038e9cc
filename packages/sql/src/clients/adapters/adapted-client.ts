import type { RawClient, Statement } from '../../statement/queryable.js';

/** A client or transaction of another library, as statements of this package are sent through it. */
export interface AdaptedClient extends RawClient {
  /** Calls `run` in a new transaction. */
  $transaction?<T>(run: (tx: AdaptedClient) => Promise<T>): Promise<T>;
}

/** What an adapter says of a client; `send` returns the rows of a statement. */
export type ClientParts = Omit<AdaptedClient, '$queryRaw'> & {
  readonly send: (statement: Statement) => Promise<readonly unknown[]>;
};

export function adapt({ send, ...parts }: ClientParts): AdaptedClient {
  return { ...parts, $queryRaw: async <T>(statement: Statement) => (await send(statement)) as T };
}
