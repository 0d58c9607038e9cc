/**
 * The SQLSTATE of an error that PostgreSQL raised: pg has it as `code`, Prisma 7 hides that of a raw query below P2010, where
 * the driver adapter has put it. null: it is not PostgreSQL's, or nobody says which.
 */
export function readSqlstate(error: unknown): string | null {
  const { code, meta } = (error ?? {}) as {
    code?: unknown;
    meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } };
  };
  const state = code === 'P2010' ? meta?.driverAdapterError?.cause?.originalCode : code;
  return typeof state === 'string' && /^(\d{2}|F0|HV|P0|XX)[0-9A-Z]{3}$/.test(state) ? state : null;
}

/** The database understood and said no (a data or constraint error), as against being away, busy or deadlocked. */
export function isRefusal(error: unknown): boolean {
  return /^(22|23)/.test(readSqlstate(error) ?? '');
}
