export interface Asked {
  readonly query?: Readonly<Record<string, string | number | Date | undefined>>;
  readonly body?: object;
  readonly timeoutMs?: number;
  /** The server knows a second one by its key, so that it may be sent again. */
  readonly isRepeatable?: boolean;
}
/** Sends a request of no own name, and revives the moments of its answer. */
export type Ask = <T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, asked?: Asked) => Promise<T>;
