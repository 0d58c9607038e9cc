/** Of each request. */
export interface RequestOptions {
  /** Ends the request, and is thrown with its reason. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /**
   * The `Idempotency-Key` of the request: the server repeats its first answer. Enqueues get one by default; other verbs
   * with one are sent again like them.
   */
  readonly requestKey?: string | undefined;
}
