/** Of each request. */
export interface RequestOptions {
  /** Ends the request, and is thrown with its reason. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /**
   * The `Idempotency-Key` of the request: the server answers a second one with the first answer. Enqueues get one of
   * their own; another verb that has one is sent again like them.
   */
  readonly requestKey?: string | undefined;
}
