import type { BulkLook } from '../operations/bulk-operations.js';
import { formatCount } from '../output/format-count.js';
import { formatMoment } from '../output/format-moment.js';
import { formatTable } from '../output/format-table.js';
import type { Look } from '../output/look.js';
import { statusCell } from '../output/status-cell.js';

/** What an action would do: how many jobs, what it would refuse and why, and some of the jobs. */
export function showPreview({ count, statuses, refused, sample }: BulkLook, look: Look): string {
  const rows = sample.map(({ id, type, queue, status, finishedAt, runAt, errorCode, refusal }) => [
    id,
    type,
    queue,
    statusCell(status),
    formatMoment(finishedAt ?? runAt),
    errorCode ?? '',
    refusal === null ? '' : refusal.code,
  ]);
  const head = ['JOB', 'TYPE', 'QUEUE', 'STATUS', 'SINCE', 'ERROR', 'REFUSED'];
  return [
    `${formatCount(count)} jobs would be changed, of those that are ${statuses.join(', ')}.\n`,
    ...refused.map(
      ({ code, count, why }) =>
        `${count === null ? 'Some' : count.toLocaleString('en-US')} would not (${code}): ${why}.\n`,
    ),
    rows.length === 0 ? '' : `\n${formatTable(head, rows, '', look)}`,
    rows.length < count.count && rows.length > 0 ? '…\n' : '',
  ].join('');
}
