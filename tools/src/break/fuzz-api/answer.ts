/** What came back for one request. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Of a stream: what came until it was left. */
  readonly text: string;
}
