import { texts } from '../../texts/texts.js';
import { classNames } from '../../ui/class-names.js';
import { RANGES, type Range } from './ranges.js';

interface RangeTabsProps {
  readonly range: Range;
  readonly onRange: (range: Range) => void;
}

/** The last hour, day, or 90 days. */
export function RangeTabs({ range, onRange }: RangeTabsProps) {
  return (
    <div role="group" aria-label={texts.overview.range} className="flex rounded-md border border-line bg-surface p-0.5">
      {(Object.keys(RANGES) as Range[]).map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === range}
          onClick={() => onRange(one)}
          className={classNames(
            'h-6 rounded px-2.5 text-sm pointer-coarse:h-9',
            one === range ? 'bg-accent-wash font-medium text-ink' : 'text-soft hover:text-ink',
          )}
        >
          {texts.overview.ranges[one]}
        </button>
      ))}
    </div>
  );
}
