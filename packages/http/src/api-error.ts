import type { HttpErrorCode } from './http-errors.js';

/** One fault of a request: where it is (a JSON pointer into the body, or a query parameter), and a sentence. */
export type Fault =
  | { readonly pointer: string; readonly message: string; readonly code?: HttpErrorCode }
  | ({ readonly parameter: string; readonly message: string } & Partial<FilterPlace>);

/** Where in the filter of a query a fault is, from one character up to the one before another, and what it is about. */
export interface FilterPlace {
  readonly reason: string;
  readonly from: number;
  readonly to: number;
  readonly hint: string | null;
}

/** The most faults that an answer lists; more would not help a reader. */
export const MAX_FAULTS = 100;

export interface ApiErrorFacts {
  readonly errors?: readonly Fault[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** A refusal by the API itself; the client sees the message. */
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
