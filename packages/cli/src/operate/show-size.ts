import { type DatabaseSize, formatBytes } from '@duework/operate';

/** How many tables are named, the largest first. */
const SHOWN_TABLES = 5;

/** How large the queue is and becomes, in two lines. */
export function showSize({
  bytes,
  tables,
  growthPerDay,
  keepDays,
  needed,
  used,
  disk,
  daysLeft,
}: DatabaseSize): string {
  const grows =
    growthPerDay === null ? 'how fast it grows is known after a day' : `it grows ${formatBytes(growthPerDay)} a day`;
  const becomes = needed === null ? '' : `, and ${keepDays} days of history need ${formatBytes(needed)}`;
  const room =
    disk === null
      ? 'DISK_GB is not set'
      : `${formatBytes(used)} of ${formatBytes(disk)} are used${daysLeft === null ? '' : `, full in ${Math.round(daysLeft)} days`}`;
  const largest = tables.slice(0, SHOWN_TABLES).map((table) => `${table.name} ${formatBytes(table.bytes)}`);
  return `Size: the queue takes ${formatBytes(bytes)}; ${grows}${becomes}. Disk: ${room}.\n  ${largest.join(', ')}\n`;
}
