import type { Pause } from '../../ports/operator.js';
import { isoText, sql, type Sql } from '@duework/sql';

/** One row of `p`, a pause, as JSON: neither the caller's client nor its session changes its moments. */
export const pauseAsJson: Sql = sql`json_build_object(
      'kind', p.kind, 'name', p.name, 'since', extract(epoch FROM p.since) * 1000, 'until', extract(epoch FROM p.until) * 1000,
      'by', p.by, 'reason', p.reason
    )`;

/** What the audit says of a pause: since when it holds, until when, by whom and why. */
export const auditedPause = (row: Sql): Sql => sql`jsonb_strip_nulls(jsonb_build_object(
      'since', ${isoText(sql`${row}.since`)}, 'until', ${isoText(sql`${row}.until`)}, 'by', ${row}.by, 'reason', ${row}.reason
    ))`;

export function toPause(text: string): Pause {
  const pause = JSON.parse(text) as Omit<Pause, 'since' | 'until'> & { since: number; until: number | null };
  return { ...pause, since: new Date(pause.since), until: pause.until === null ? null : new Date(pause.until) };
}
