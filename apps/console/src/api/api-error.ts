/** What is wrong with one part of a request. */
export interface Fault {
  readonly pointer: string;
  readonly message: string;
  readonly code?: string;
}

/** What goes wrong before the API can say so with a code of its own. */
export type LocalCode = 'unreachable' | 'answer_unreadable';

/** A request that failed: `code` is one of the API's, or a `LocalCode`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly code: LocalCode | (string & {}),
    message: string,
    /** null: there was no answer. */
    readonly status: number | null,
    readonly faults: readonly Fault[] = [],
    /** The line of the server's log that belongs to it has the same. */
    readonly requestId: string | null = null,
  ) {
    super(message);
  }
}

/** Whoever gets one of these has to show other credentials before anything else can be done. */
const SIGNED_OUT = new Set(['unauthenticated', 'invalid_credentials', 'expired_credentials', 'revoked_credentials']);
/** The server is there, and cannot answer just now. */
const AWAY = new Set([
  'database_unavailable',
  'database_busy',
  'redis_away',
  'not_ready',
  'stopping',
  'unreachable',
  'issuer_unavailable',
  'rate_limited',
]);

export const isSignedOut = (error: unknown): error is ApiError =>
  error instanceof ApiError && SIGNED_OUT.has(error.code);

/** Whether the same request may be answered a little later. */
export const isPassing = (error: unknown): error is ApiError => error instanceof ApiError && AWAY.has(error.code);
