/**
 * The SQLSTATE of an error that PostgreSQL raised. pg has it as `code`; for a raw query Prisma 7 has `P2010` there, and
 * the SQLSTATE in the driver adapter's error below. null: the error is not PostgreSQL's, or carries no SQLSTATE.
 */
export function readSqlstate(error: unknown): string | null {
  const { code, meta } = (error ?? {}) as {
    code?: unknown;
    meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } };
  };
  const state = code === 'P2010' ? meta?.driverAdapterError?.cause?.originalCode : code;
  return typeof state === 'string' && /^(\d[0-9A-Z]|F0|HV|P0|XX)[0-9A-Z]{3}$/.test(state) ? state : null;
}

/**
 * Whether the database refused the statement (a data or constraint error), rather than being away, busy or deadlocked.
 */
export function isRefusal(error: unknown): boolean {
  return /^(22|23)/.test(readSqlstate(error) ?? '');
}

/** Whether the statement gave up waiting for a lock, because its session has a `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return readSqlstate(error) === '55P03';
}
