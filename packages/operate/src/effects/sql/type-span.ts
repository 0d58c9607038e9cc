import { sql, type Sql } from '@duework/sql';

/** A type between two moments, in milliseconds since 1970; the second is not included. */
export interface TypeSpan {
  readonly type: string;
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** How many are named of a kind. */
export const NAMED = 100;

export const moment = (ms: number): Sql => sql`to_timestamp(${ms / 1_000}::float8)`;
