import { FILTER_STATUSES, formatFilter, parseFilter, type FilterStatus } from '@duework/filter';
import { texts } from '../../texts/texts.js';
import { classNames } from '../../ui/class-names.js';
import { StatusShape } from '../../ui/status-badge.js';

interface StatusTabsProps {
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
}

const LOOKS: Readonly<Record<FilterStatus, string>> = {
  queued: 'text-queued',
  running: 'text-running',
  succeeded: 'text-succeeded',
  failed: 'text-failed',
  dead: 'text-dead',
  cancelled: 'text-cancelled',
};

/** One status of the filter with one click; the other terms stay. */
export function StatusTabs({ filter, onFilter }: StatusTabsProps) {
  const chosen = readStatus(filter);
  return (
    <div role="group" aria-label={texts.jobs.quick} className="flex max-w-full gap-0.5 overflow-x-auto">
      {([null, ...FILTER_STATUSES] as const).map((status) => (
        <button
          key={status ?? 'all'}
          type="button"
          aria-pressed={chosen === status}
          onClick={() => onFilter(withStatus(filter, status))}
          className={classNames(
            'flex h-7 shrink-0 items-center gap-1.5 rounded-md px-2 text-sm pointer-coarse:h-10',
            chosen === status ? 'bg-sunken font-medium text-ink' : 'text-soft hover:text-ink',
          )}
        >
          {status !== null && <StatusShape status={status} className={classNames(LOOKS[status], 'animate-none!')} />}
          {status === null ? texts.jobs.all : texts.statuses[status]}
        </button>
      ))}
    </div>
  );
}

/** The one status that a filter names; null: it names none; undefined: several, or it cannot be read. */
function readStatus(filter: string): FilterStatus | null | undefined {
  const parsed = parseFilter(filter);
  if (!parsed.isOk) return undefined;
  const term = parsed.filter.terms.find(({ field }) => field === 'status');
  if (term === undefined) return null;
  return term.field === 'status' && !term.isNot && term.values.length === 1 ? term.values[0] : undefined;
}

function withStatus(filter: string, status: FilterStatus | null): string {
  const parsed = parseFilter(filter);
  const others = parsed.isOk ? parsed.filter.terms.filter(({ field }) => field !== 'status') : [];
  const term = status === null ? [] : [{ field: 'status' as const, isNot: false, values: [status] }];
  return formatFilter({ terms: [...term, ...others] });
}
