import type { BullmqRun } from './decode-job.js';
import type { JobNotes } from './encode-job.js';
import { readOptions } from './read-fields.js';

/**
 * The options of a job with other notes, and other options of BullMQ's own, as its hash has them. What nobody can read of them
 * is not kept.
 */
export function writeNotes(
  { raw }: BullmqRun,
  notes: { readonly [N in keyof JobNotes]?: JobNotes[N] | undefined },
  more: { readonly attempts?: number; readonly priority?: number } = {},
): string {
  const { notes: known, unreadable } = readOptions(raw.opts);
  const options: unknown = unreadable === 'opts' ? {} : JSON.parse(raw.opts || '{}');
  return JSON.stringify({ ...(options as object), ...more, duework: JSON.stringify({ ...known, ...notes }) });
}
