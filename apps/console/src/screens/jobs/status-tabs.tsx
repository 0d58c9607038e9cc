import { FILTER_STATUSES, formatFilter, parseFilter, type FilterStatus } from '@duework/filter';
import { texts } from '../../texts/texts.js';
import { OptionRow } from '../../ui/inputs/option-row.js';
import { StatusShape } from '../../ui/marks/status-badge.js';

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
    <OptionRow
      label={texts.jobs.quick}
      value={chosen === null ? 'all' : chosen}
      options={[
        { id: 'all', content: texts.jobs.all },
        ...FILTER_STATUSES.map((status) => ({
          id: status,
          content: (
            <>
              <StatusShape status={status} className={`${LOOKS[status]} animate-none!`} />
              {texts.statuses[status]}
            </>
          ),
        })),
      ]}
      onChange={(id) => onFilter(withStatus(filter, id === 'all' ? null : id))}
    />
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
