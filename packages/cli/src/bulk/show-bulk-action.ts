import type { BulkAction } from '@duework/operate';
import { formatCount } from '../output/format-count.js';
import { formatFacts } from '../output/format-facts.js';
import { formatMoment } from '../output/format-moment.js';
import type { Look } from '../output/look.js';

/** `12,000 of 20,000 changed, 3 refused` */
export function showProgress({ done, total, refused }: BulkAction): string {
  const left = Object.values(refused).reduce((sum, count) => sum + count, 0);
  return `${done.toLocaleString('en-US')} of ${formatCount(total)} changed${left === 0 ? '' : `, ${left.toLocaleString('en-US')} refused`}`;
}

/** An action as lines of names and values. `outcome`: what its jobs are now. */
export function showBulkAction(action: BulkAction, look: Look, outcome: string | null = null): string {
  const { id, verb, undoOf, status, filter, options, by, reason, refused, createdAt, finishedAt, undoUntil } = action;
  return formatFacts(
    [
      ['bulk action', `${id}, ${verb}${undoOf === null ? '' : ` of ${undoOf}`}`],
      ['status', `${status}, ${showProgress(action)}`],
      ['filter', filter === '' ? null : filter],
      ['with', Object.keys(options).length === 0 ? null : JSON.stringify(options)],
      ['refused', Object.keys(refused).length === 0 ? null : showRefused(refused)],
      ['jobs now', outcome],
      ['by', by],
      ['reason', reason],
      ['begun', formatMoment(createdAt)],
      ['ended', finishedAt === null ? null : formatMoment(finishedAt)],
      ['abort', status === 'running' ? `npx duework bulk abort ${id}` : null],
      ['undo', undoUntil === null ? null : `npx duework bulk undo ${id}, until ${formatMoment(undoUntil)}`],
    ],
    look,
  );
}

const showRefused = (refused: BulkAction['refused']): string =>
  Object.entries(refused)
    .map(([code, count]) => `${count} ${code}`)
    .join(', ');
