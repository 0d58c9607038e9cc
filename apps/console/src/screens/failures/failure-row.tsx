import type { FailureGroup, FailureList } from '../../api/failure-queries.js';
import { texts } from '../../texts/texts.js';
import { formatCount } from '../../time/format-count.js';
import { classNames } from '../../ui/class-names.js';
import { errorName } from '../../ui/error-name.js';
import { ChevronIcon } from '../../ui/icons.js';
import { Age } from '../../ui/marks/moment.js';
import { StatusShape } from '../../ui/marks/status-badge.js';
import { StepCells } from './step-cells.js';

const words = texts.failures;

interface FailureRowProps {
  readonly group: FailureGroup;
  readonly data: FailureList;
  /** Jobs of the fullest cell of the table. */
  readonly most: number;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onType: () => void;
}

/** One error of one type: what, how many, when. */
export function FailureRow({ group, data, most, isOpen, onOpen, onType }: FailureRowProps) {
  return (
    <tr
      role="row"
      className="border-b border-line/70 hover:bg-sunken has-[button[data-line]:focus-visible]:bg-accent-wash max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-3 max-md:px-4 max-md:py-2.5"
    >
      <td role="cell" className="py-1.5 pr-3 pl-3 max-md:col-span-2 max-md:p-0">
        <div className="flex items-start gap-1.5">
          <button
            type="button"
            data-line=""
            aria-expanded={isOpen}
            onClick={onOpen}
            className="flex min-w-0 flex-1 items-start gap-1.5 text-left"
          >
            <ChevronIcon
              className={classNames('mt-0.5 shrink-0 text-faint transition-transform', isOpen && 'rotate-90')}
            />
            <span className="line-clamp-2 min-w-0 break-words">
              <code className="mr-2 font-mono text-xs font-medium text-dead">
                {errorName(group.code, group.errorType)}
              </code>
              {group.pattern}
            </span>
          </button>
        </div>
        <p className="flex items-center gap-2 pl-5.5 text-xs text-soft">
          <button type="button" onClick={onType} title={words.onlyType(group.type)} className="min-h-6 hover:underline">
            {group.type}
          </button>
          {isNew(group, data) && (
            <span className="rounded-full bg-failed-wash px-1.5 font-medium text-failed">
              {words.fresh} · <Age at={group.firstAt} />
            </span>
          )}
        </p>
      </td>
      <td role="cell" className="px-3 max-md:order-2 max-md:px-0 max-md:pl-5.5">
        <p className="flex flex-wrap gap-x-3">
          {group.dead > 0 && <Count status="dead" count={group.dead} />}
          {group.retrying > 0 && <Count status="failed" count={group.retrying} />}
        </p>
      </td>
      <td role="cell" className="px-3 max-md:order-4 max-md:col-span-2 max-md:mt-1.5 max-md:px-0 max-md:pl-5.5">
        <StepCells counts={group.counts} tone={group.dead > 0 ? 'dead' : 'failed'} data={data} most={most} />
      </td>
      <td role="cell" className="px-3 whitespace-nowrap text-soft max-md:order-3 max-md:px-0 max-md:text-right">
        <Age at={group.lastAt} />
      </td>
    </tr>
  );
}

function Count({ status, count }: { readonly status: 'dead' | 'failed'; readonly count: number }) {
  return (
    <span
      title={words.counted[status]}
      className={classNames(
        'inline-flex items-center gap-1 font-medium whitespace-nowrap',
        status === 'dead' ? 'text-dead' : 'text-failed',
      )}
    >
      <StatusShape status={status} />
      {formatCount(count)}
      <span className="text-xs font-normal">{texts.statuses[status]}</span>
    </span>
  );
}

/** Whether a failure began within the last quarter of the time that is shown, and nothing of that time is missing. */
function isNew({ firstAt }: FailureGroup, { since, until, isComplete }: FailureList): boolean {
  const [from, to] = [Date.parse(since), Date.parse(until)];
  return isComplete && Date.parse(firstAt) >= to - (to - from) / 4;
}
