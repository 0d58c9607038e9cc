import type { BullmqRun } from './decode-job.js';
import type { JobNotes } from './encode-job.js';

/** The options of a job with other notes, and other options of BullMQ's own, as its hash has them. */
export function writeNotes(
  { raw }: BullmqRun,
  notes: { readonly [N in keyof JobNotes]?: JobNotes[N] | undefined },
  more: { readonly attempts?: number; readonly priority?: number } = {},
): string {
  const options = JSON.parse(raw.opts!) as { readonly duework?: string };
  const known = JSON.parse(options.duework ?? '{}') as object;
  return JSON.stringify({ ...options, ...more, duework: JSON.stringify({ ...known, ...notes }) });
}
