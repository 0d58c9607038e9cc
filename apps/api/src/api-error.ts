import type { HttpErrorCode } from './http-errors.js';

/** One thing that is wrong with a request: where (a JSON pointer into its body, or a query parameter), and a sentence. */
export type Fault =
  | { readonly pointer: string; readonly message: string; readonly code?: HttpErrorCode }
  | { readonly parameter: string; readonly message: string };

/** An answer that lists more says less. */
export const MAX_FAULTS = 100;

export interface ApiErrorFacts {
  readonly errors?: readonly Fault[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** A refusal of the API itself; the message is shown to the client. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly errors: readonly Fault[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: HttpErrorCode,
    detail: string,
    { errors = [], headers = {}, cause }: ApiErrorFacts = {},
  ) {
    super(detail, cause === undefined ? {} : { cause });
    this.errors = errors;
    this.headers = headers;
  }
}
