import type { FailureList } from '../../api/failure-queries.js';
import { texts } from '../../texts/texts.js';
import { formatCount } from '../../time/format-count.js';
import { formatMoment } from '../../time/format-moment.js';
import { useZone } from '../../time/zone-store.js';

const words = texts.failures;
/** Whole names, because Tailwind finds them in the source. The fuller a cell, the higher it is, too. */
const HEIGHTS = ['h-0', 'h-1.5', 'h-3', 'h-4.5', 'h-6'] as const;
const TONES = {
  dead: ['', 'bg-dead/45', 'bg-dead/60', 'bg-dead/80', 'bg-dead'],
  failed: ['', 'bg-failed/45', 'bg-failed/60', 'bg-failed/80', 'bg-failed'],
} as const;

interface StepCellsProps {
  readonly counts: readonly number[];
  /** `failed`: none of the jobs is dead. */
  readonly tone: keyof typeof TONES;
  readonly data: FailureList;
  /** Jobs of the fullest cell of all lines, so that lines can be compared. */
  readonly most: number;
}

/** When jobs failed: a cell for each step of time. The figures are in the table that the line opens to. */
export function StepCells({ counts, tone, data, most }: StepCellsProps) {
  const zone = useZone();
  return (
    <div
      role="img"
      aria-label={words.cells(
        counts.filter((count) => count > 0).length,
        counts.length,
        formatCount(Math.max(...counts)),
      )}
      className="flex h-7 items-end gap-px"
    >
      {counts.map((count, step) => {
        const level = levelOf(count, most);
        return (
          <span
            key={step}
            title={`${formatMoment(new Date(stepAt(data, step)), zone).slice(0, -3)} · ${texts.jobs.count(formatCount(count), count === 1)}`}
            className="flex h-6 flex-1 items-end border-b border-line"
          >
            <span className={`block w-full rounded-t-xs ${HEIGHTS[level]} ${TONES[tone][level]}`} />
          </span>
        );
      })}
    </div>
  );
}

/** When a step begins. */
export const stepAt = ({ since, stepSeconds }: FailureList, step: number): number =>
  Date.parse(since) + step * stepSeconds * 1_000;

/** 0 to 4, by the logarithm: one failure beside thousands is seen, too. */
function levelOf(count: number, most: number): 0 | 1 | 2 | 3 | 4 {
  if (count === 0) return 0;
  return Math.max(1, Math.ceil((4 * Math.log(count + 1)) / Math.log(most + 1))) as 1 | 2 | 3 | 4;
}
