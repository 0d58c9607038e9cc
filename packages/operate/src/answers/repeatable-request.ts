/** What tells a request with an `Idempotency-Key` from others. */
export interface RepeatableRequest {
  /** Who asks: the keys of two principals have nothing to do with each other. */
  readonly principal: string;
  readonly key: string;
  /** As `fingerprintRequest` makes it. */
  readonly fingerprint: string;
}
