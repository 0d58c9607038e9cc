/** What can be wrong with a database, as a code for programs. */
export type DatabaseErrorCode =
  | 'database_url_invalid'
  | 'database_unreachable'
  | 'database_auth_failed'
  | 'database_not_found'
  | 'database_permission_denied'
  | 'role_not_found'
  | 'session_needed'
  | 'database_version_unsupported'
  | 'database_not_utc'
  | 'database_not_utf8'
  | 'database_not_migrated'
  | 'database_migration_failed'
  | 'database_revert_refused'
  | 'database_repair_failed'
  | 'database_query_failed'
  | 'not_replicated'
  | 'database_copied'
  | 'migration_unknown'
  | 'migration_folder_unusable'
  | 'embedded_unavailable'
  | 'embedded_port_taken'
  | 'embedded_data_unusable'
  | 'embedded_start_failed';

const BRAND = Symbol.for('duework.database-error');
const DOCS = 'https://github.com/duework/duework/blob/main/docs/look-up/start-errors.md#';

/** An error about the database itself: one line for people, with the fix. */
export class DatabaseError extends Error {
  static {
    Object.defineProperty(this.prototype, BRAND, { value: true });
  }

  override readonly name = 'DatabaseError';
  readonly code: DatabaseErrorCode;
  readonly docs: string;
  /** The problem without the fix. */
  readonly problem: string;
  /** The fix: one sentence. */
  readonly fix: string;
  /** It may pass: nothing answers yet, the server starts or is full, a migration still runs. */
  readonly isTemporary: boolean;

  constructor(
    code: DatabaseErrorCode,
    facts: { problem: string; fix: string; isTemporary?: boolean; cause?: unknown },
  ) {
    super(`${facts.problem} ${facts.fix}`, facts.cause === undefined ? {} : { cause: facts.cause });
    this.code = code;
    this.docs = DOCS + code;
    this.problem = facts.problem;
    this.fix = facts.fix;
    this.isTemporary = facts.isTemporary ?? false;
  }

  /** Whether `error` is one, of any copy of this package: one may be loaded as ESM and one as CJS. */
  static is(error: unknown): error is DatabaseError {
    return typeof error === 'object' && error !== null && BRAND in error;
  }
}
