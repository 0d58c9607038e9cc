import { found, type Finding } from '../findings.js';
import { formatBytes } from '../format-bytes.js';
import type { DatabaseSize } from '../sql/read-size.js';

/** The share of a disk that is used when it is nearly full. */
const NEARLY_FULL = 0.9;

/** Whether the history outgrows the disk before it is as old as it is kept, or the disk is nearly full. */
export function judgeSize({ used, disk, bytes, needed, growthPerDay, keepDays, daysLeft }: DatabaseSize): Finding[] {
  if (disk === null || (daysLeft === null && used <= disk * NEARLY_FULL)) return [];
  const becomes =
    daysLeft === null
      ? ''
      : ` The queue takes ${formatBytes(bytes)}, grows ${formatBytes(growthPerDay!)} a day, and needs ${formatBytes(needed!)} for ${keepDays} days: the disk is full in ${daysLeft < 10 ? daysLeft.toFixed(1) : Math.round(daysLeft)} days.`;
  return [
    found(
      'disk_fills_up',
      'setting DISK_GB',
      `The databases use ${formatBytes(used)} of ${formatBytes(disk)}.${becomes}`,
      'Enlarge the disk and DISK_GB, or lower RETENTION_DAYS and RETENTION_DEAD_DAYS of the workers. What takes the space is below.',
    ),
  ];
}
