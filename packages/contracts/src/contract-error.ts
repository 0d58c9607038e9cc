/**
 * What can be wrong with a contract; found when it is defined or held against the lock; `async_schema` at the latest
 * when a value is parsed.
 */
export type ContractErrorCode =
  | 'invalid_duration'
  | 'invalid_job_type'
  | 'invalid_job_option'
  | 'invalid_retry_policy'
  | 'payload_not_json'
  | 'result_not_json'
  | 'async_schema'
  | 'past_incomplete'
  | 'sensitive_unknown'
  | 'flow_path_unknown'
  | 'flow_path_sensitive'
  | 'flow_rules_differ'
  | 'lock_invalid'
  | 'schema_changed'
  | 'retired_in_use'
  | 'duplicate_job_type'
  | 'invalid_signal'
  | 'invalid_workflow';

const BRAND = Symbol.for('duework.contract-error');
const DOCS = 'https://github.com/duework/duework/blob/main/docs/look-up/start-errors.md#';

/** A contract that cannot be kept is refused with this when it is defined. `code` is stable. */
export class ContractError extends Error {
  static {
    Object.defineProperty(this.prototype, BRAND, { value: true });
  }

  override readonly name = 'ContractError';
  /** The section of the documentation about `code`. */
  readonly docs: string;

  constructor(
    readonly code: ContractErrorCode,
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
    this.docs = DOCS + code;
  }

  /** Whether `error` is one, of any copy of this package: one may be loaded as ESM and one as CJS. */
  static is(error: unknown): error is ContractError {
    return typeof error === 'object' && error !== null && BRAND in error;
  }
}
