import { DueworkError, type Queryable } from '@duework/queue-core';
import { checkText, isMoment } from '@duework/sql';
import type { AuditFilter, AuditPage } from './audit-entry.js';
import { findAuditEntries } from './sql/find-audit-entries.js';

const MAX_LIMIT = 1_000;

/**
 * Who did what, newest first, a page at a time. `by`, `verb` and `target` are compared as they are. Throws
 * `invalid_option`, `invalid_cursor`, `invalid_job_id`.
 */
export async function readAudit(db: Queryable, filter: AuditFilter = {}): Promise<AuditPage> {
  const { limit = 100, cursor, since, job, ...texts } = filter;
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw new DueworkError('invalid_option', {
      option: 'limit',
      expected: `a whole number from 1 to ${MAX_LIMIT}`,
      value: limit,
    });
  for (const [option, text] of Object.entries(texts)) checkText(option, text ?? null, 1_000);
  if (texts.target !== undefined && texts.kind === undefined)
    throw new DueworkError('invalid_option', {
      option: 'kind',
      expected: 'given together with target, such as job or schedule',
      value: texts.kind,
    });
  if (since !== undefined && !isMoment(since))
    throw new DueworkError('invalid_option', { option: 'since', expected: 'a Date', value: since });
  if (job !== undefined && !/^[1-9]\d{0,17}$/.test(job)) throw new DueworkError('invalid_job_id', { id: job });
  const rows = await findAuditEntries(db, {
    ...texts,
    job,
    since: since?.toISOString(),
    before: cursor === undefined ? undefined : readCursor(cursor),
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    entries: page.map(({ atMs, atMicros: _, ...entry }) => ({ ...entry, at: new Date(atMs) })),
    nextCursor: rows.length > limit ? `${last!.atMicros}-${last!.id}` : null,
  };
}

function readCursor(cursor: string): { atMicros: string; id: string } {
  const [, atMicros, id] = /^(\d{1,17})-([1-9]\d{0,17})$/.exec(typeof cursor === 'string' ? cursor : '') ?? [];
  if (atMicros === undefined || id === undefined) throw new DueworkError('invalid_cursor', { cursor });
  return { atMicros, id };
}
