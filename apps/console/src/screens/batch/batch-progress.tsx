import type { Batch } from '../../api/batch-queries.js';
import { texts } from '../../texts/texts.js';
import { formatCount } from '../../time/format-count.js';
import { classNames } from '../../ui/class-names.js';

const words = texts.batch;
const PARTS = [
  ['succeeded', 'bg-succeeded'],
  ['dead', 'bg-dead'],
  ['cancelled', 'bg-cancelled'],
] as const;

/** How many jobs of a batch have ended, and how: a bar with a part for each end. */
export function BatchProgress({ batch, className }: { readonly batch: Batch; readonly className?: string }) {
  const { jobs, open } = batch;
  const share = (part: number): string => `${jobs === 0 ? 0 : (100 * part) / jobs}%`;
  return (
    <div className={className}>
      <div
        role="progressbar"
        aria-label={words.endedOf(batch.name ?? batch.id)}
        aria-valuemin={0}
        aria-valuemax={Math.max(1, jobs)}
        aria-valuenow={jobs === 0 ? 1 : jobs - open}
        aria-valuetext={words.progress(formatCount(jobs - open), formatCount(jobs))}
        className="flex h-2 overflow-hidden rounded-full bg-running-wash"
      >
        {PARTS.map(([end, look]) => (
          <span
            key={end}
            className={classNames('h-2', look, batch[end] > 0 && 'min-w-1')}
            style={{ width: share(batch[end]) }}
          />
        ))}
      </div>
      <p className="mt-0.5 text-xs text-soft">{words.progress(formatCount(jobs - open), formatCount(jobs))}</p>
    </div>
  );
}
