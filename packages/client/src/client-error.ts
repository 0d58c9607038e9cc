/** What goes wrong before a server could answer with a code of its own. */
export type ClientErrorCode =
  | 'invalid_client_option'
  | 'invalid_address'
  | 'request_timed_out'
  | 'server_unreachable'
  | 'answer_unreadable';

/** What is wrong with one field of a request: a JSON pointer and a sentence. */
export interface ProblemIssue {
  readonly pointer: string;
  readonly message: string;
}

export interface ClientErrorFacts {
  /** Of the answer; null: there was none. */
  readonly status?: number;
  readonly issues?: readonly ProblemIssue[];
  readonly requestId?: string | null;
  readonly cause?: unknown;
}

const BRAND = Symbol.for('duework.client-error');
const DOCS = 'https://github.com/duework/duework/blob/main/docs/look-up/errors.md#';

/** A request that failed: `code` is stable, a `ClientErrorCode` or one of the server's (its page /problems lists them). */
export class ClientError extends Error {
  static {
    Object.defineProperty(this.prototype, BRAND, { value: true });
  }

  override readonly name = 'ClientError';
  readonly docs: string;
  /** The HTTP status of the answer; null: there was none. */
  readonly status: number | null;
  readonly issues: readonly ProblemIssue[];
  /** The line of the server's log that belongs to it has the same. */
  readonly requestId: string | null;

  constructor(
    readonly code: ClientErrorCode | (string & {}),
    message: string,
    { status, issues = [], requestId = null, cause }: ClientErrorFacts = {},
  ) {
    super(message, cause === undefined ? {} : { cause });
    this.docs = DOCS + code;
    this.status = status ?? null;
    this.issues = issues;
    this.requestId = requestId;
  }

  /** Whether `error` is one, of any copy of this package, with that code if you give one. */
  static is(error: unknown, code?: string): error is ClientError {
    const isOne = typeof error === 'object' && error !== null && BRAND in error;
    return isOne && (code === undefined || (error as unknown as ClientError).code === code);
  }
}
