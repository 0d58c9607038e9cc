import type { PgClient } from '@duework/database';
import { runText } from '../../../kit/run-text.js';
import { DAYS, TYPES } from './shape.js';

const UNITS = [
  { table: 'duework.figures_minutes', unit: 'minute', span: '25 hours', jobs: 100 },
  { table: 'duework.figures_hours', unit: 'hour', span: `${DAYS} days`, jobs: 6_000 },
  { table: 'duework.figures_days', unit: 'day', span: `${DAYS} days`, jobs: 144_000 },
] as const;

const COLUMNS =
  'at, queue, job_type, claimed, succeeded, failed, dead, waited, waited_ms, ran, ran_ms, due, running, oldest_seconds';
/** Times are counted in twenty doublings. */
const LIST = `array_fill(c / 20, ARRAY[20])`;

/** Writes what 50 types had done in every minute of a day, and in every hour and day of 90. */
export async function fillFigures(db: PgClient): Promise<void> {
  for (const { table, unit, span, jobs } of UNITS) {
    const lines = (places: string): string => `
      INSERT INTO ${table} (${COLUMNS})
      SELECT at, queue, type, c, c - c / 100, c / 100, c / 1000, ${LIST}, c * 40, ${LIST}, c * 90, 100, 4, 12.5
      FROM generate_series(date_trunc('${unit}', now(), 'UTC') - interval '${span}', now(), '1 ${unit}') AS at
      CROSS JOIN (${places}) AS p (queue, type, c)`;
    await runText(
      db,
      lines(`SELECT 'queue_' || n % 8, 'type_' || n, ${jobs}::bigint FROM generate_series(0, ${TYPES - 1}) AS n`),
    );
    await runText(db, lines(`VALUES ('', '*', ${jobs * TYPES}::bigint)`));
  }
  await runText(
    db,
    `INSERT INTO duework.figures_minutes (at, queue, job_type)
    SELECT at, '', '' FROM generate_series(date_trunc('minute', now()) - interval '25 hours', now(), '1 minute') AS at`,
  );
}
