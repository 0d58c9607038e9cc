import { DueworkError } from './errors.js';

/**
 * The SQLSTATE of an error that PostgreSQL raised. pg has it as `code`, and most libraries above it; for a raw query
 * Prisma has `P2010` there, and the SQLSTATE in `meta` (6) or in the driver adapter's error below (7); Drizzle has it in
 * the cause of an error with `query` and `params`. null: the error is not PostgreSQL's, or carries no SQLSTATE.
 */
export function readSqlstate(error: unknown): string | null {
  const { code, meta, query, params, cause } = (error ?? {}) as Loose;
  if (code === undefined && typeof query === 'string' && Array.isArray(params)) return readSqlstate(cause);
  const state = code === 'P2010' ? (meta?.driverAdapterError?.cause?.originalCode ?? meta?.code) : code;
  return typeof state === 'string' && /^(\d[0-9A-Z]|F0|HV|P0|XX)[0-9A-Z]{3}$/.test(state) ? state : null;
}

/**
 * What PostgreSQL said in such an error, one line, without what a library has put before it: Prisma and Drizzle the
 * statement's lines, Knex the statement with its values.
 */
export function readReason(error: unknown): string {
  const { message, meta, query, cause } = (error ?? {}) as Loose;
  if (typeof query === 'string' && cause !== undefined) return readReason(cause);
  const own = meta?.driverAdapterError?.cause?.originalMessage ?? meta?.message ?? message;
  return String(own)
    .trim()
    .split(/\n| - /)
    .at(-1)!
    .trim();
}

interface Loose {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly meta?: {
    readonly code?: unknown;
    readonly message?: unknown;
    readonly driverAdapterError?: {
      readonly cause?: { readonly originalCode?: unknown; readonly originalMessage?: unknown };
    };
  };
  readonly query?: unknown;
  readonly params?: unknown;
  readonly cause?: unknown;
}

/**
 * Whether the statement was refused (a data or constraint error, or a text that cannot be sent), rather than the database
 * being away, busy or deadlocked.
 */
export function isRefusal(error: unknown): boolean {
  if (DueworkError.is(error, 'text_not_storable')) return true;
  return /^(22|23)/.test(readSqlstate(error) ?? '');
}
