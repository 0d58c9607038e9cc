import { queryRows, sql } from '@duework/sql';
import type { Queryable } from '@duework/queue-core';

export interface TableSize {
  /** Without its day: all days of the history are one. */
  readonly name: string;
  /** With indexes. */
  readonly bytes: number;
  /** How many daily partitions it has; 0: it has none. */
  readonly days: number;
}

/** How large the queue is, how fast it grows, and how large it becomes, in bytes. */
export interface DatabaseSize {
  readonly bytes: number;
  /** The largest first. */
  readonly tables: readonly TableSize[];
  /** How many days of the history are over. */
  readonly days: number;
  /** What a day adds, of the last seven; null: no day is over yet. */
  readonly growthPerDay: number | null;
  /** As the workers last said; null: none has yet. */
  readonly keepDays: number | null;
  /** What `bytes` becomes once the history is as long as it is kept; null: not known yet. */
  readonly needed: number | null;
  /** Of the server, as far as the role may see: its databases, and the WAL with `pg_monitor`. */
  readonly used: number;
  /** Of the disk, as DISK_GB says; null: nobody has said. */
  readonly disk: number | null;
  /** Until the disk is full; null: not known, or never at this growth. */
  readonly daysLeft: number | null;
}

/** It reads the sizes of files, and no row. */
export async function readSize(db: Queryable): Promise<DatabaseSize> {
  const [row] = await queryRows<DatabaseSize>(
    db,
    sql`
    SELECT bytes::float8 AS bytes, tables, days, growth::float8 AS "growthPerDay", keep_days AS "keepDays", needed::float8 AS needed,
      used::float8 AS used, disk::float8 AS disk, days_left::float8 AS "daysLeft"
    FROM duework.read_size()`,
  );
  return row!;
}
