import { texts } from '../../texts/texts.js';
import { formatCount } from '../../time/format-count.js';
import { formatShortDuration } from '../../time/format-duration.js';
import { useNow } from '../../time/use-now.js';
import { FilterLink, type FilterFields } from '../../ui/filter-link.js';

interface WaitingProps {
  readonly count: number;
  readonly isAtLeast: boolean;
  /** Of the one that has waited for the longest time; null: nobody waits. */
  readonly since: string | null;
  /** What the jobs that wait have. */
  readonly fields: FilterFields;
}

/** How many wait, and for how long, which leads to them. */
export function Waiting({ count, isAtLeast, since, fields }: WaitingProps) {
  const now = useNow();
  if (count === 0) return <span className="text-faint">0</span>;
  return (
    <>
      <FilterLink fields={fields} className="font-medium">
        {formatCount(count, isAtLeast)}
      </FilterLink>
      {since !== null && (
        <span className="ml-1.5 text-soft">
          {texts.flow.oldest(formatShortDuration(Math.max(0, now - Date.parse(since))))}
        </span>
      )}
    </>
  );
}
