export interface ClientOptions {
  /** Where the API is: `https://jobs.example.org`, with the path that it is mounted at. */
  readonly url: string;
  /** An API key, sent as a bearer token; a function is asked before each request. */
  readonly key?: string | (() => string | Promise<string>) | undefined;
  /** How long one try may take; 10,000 unless given. */
  readonly timeoutMs?: number;
  /** How often a request is sent again where that is safe; 2 unless given. */
  readonly retries?: number;
  /** Instead of the global one. */
  readonly fetch?: typeof globalThis.fetch;
  readonly headers?: Readonly<Record<string, string>>;
}
