export interface ClientOptions {
  /** Address of the API: `https://jobs.example.org`, with the path of its mount. */
  readonly url: string;
  /** An API key, sent as a bearer token; a function is asked before each request. */
  readonly key?: string | (() => string | Promise<string>) | undefined;
  /** How long one try may take; 10,000 unless given. */
  readonly timeoutMs?: number;
  /** How often a request is sent again if that is safe; default 2. */
  readonly retries?: number;
  /** Instead of the global one. */
  readonly fetch?: typeof globalThis.fetch;
  readonly headers?: Readonly<Record<string, string>>;
}
