import * as runtime from '@prisma/client/runtime/client';
import { squeezeSql } from './squeeze-sql.js';

/** Prisma's tagged template: makes the same objects as a generated client's `Prisma.sql`, from squeezed text. */
export const sql = (texts: readonly string[], ...values: runtime.RawValue[]): Sql =>
  runtime.sqltag(squeezeSql(texts), ...values);
export const { join, empty } = runtime;
export type Sql = runtime.Sql;

/**
 * Anything that runs raw SQL: a Prisma client, an extended one, or the transaction of the caller's own business write.
 * Every statement of this package is sent through one.
 */
export interface Queryable {
  $queryRaw<T = unknown>(query: Sql, ...values: never[]): PromiseLike<T>;
}

/** The rows of a statement, with the type that its SELECT list promises. */
export async function queryRows<TRow>(db: Queryable, statement: Sql): Promise<TRow[]> {
  return db.$queryRaw<TRow[]>(statement);
}
