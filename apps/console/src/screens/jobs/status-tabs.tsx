import {
  FILTER_STATUSES,
  formatFilter,
  type FilterStatus,
  type HeldTerm,
  type JobFilterTerm,
  type StatusTerm,
} from '@duework/filter';
import { parseFilter } from '../../parse-filter.js';
import { useQueueBehind } from '../../session/use-refusal.js';
import { texts } from '../../texts/texts.js';
import { OptionRow } from '../../ui/inputs/option-row.js';
import { StatusShape } from '../../ui/marks/status-badge.js';

interface StatusTabsProps {
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
}

/** A status, or `held`, which those of the queued and the failed are that wait at a gate. */
type Tab = FilterStatus | 'held';

const TABS: readonly Tab[] = ['queued', 'held', ...FILTER_STATUSES.filter((status) => status !== 'queued')];

const LOOKS: Readonly<Record<Tab, string>> = {
  queued: 'text-queued',
  held: 'text-accent',
  running: 'text-running',
  succeeded: 'text-succeeded',
  failed: 'text-failed',
  dead: 'text-dead',
  cancelled: 'text-cancelled',
};

/** One status of the filter with one click; the other terms stay. */
export function StatusTabs({ filter, onFilter }: StatusTabsProps) {
  const chosen = readTab(filter);
  const isAnyFilter = useQueueBehind()?.filters === null;
  return (
    <OptionRow
      label={texts.jobs.quick}
      value={chosen === null ? 'all' : chosen}
      options={[
        { id: 'all', content: texts.jobs.all },
        ...TABS.filter((tab) => tab !== 'held' || isAnyFilter).map((tab) => ({
          id: tab,
          content: (
            <>
              <StatusShape status={tab} className={`${LOOKS[tab]} animate-none!`} />
              {texts.statuses[tab]}
            </>
          ),
        })),
      ]}
      onChange={(id) => onFilter(withTab(filter, id === 'all' ? null : id))}
    />
  );
}

/** The one status that a filter names, or that it is about held jobs; null: neither; undefined: several, or it cannot be read. */
function readTab(filter: string): Tab | null | undefined {
  const parsed = parseFilter(filter);
  if (!parsed.isOk) return undefined;
  const terms = parsed.filter.terms.filter(isOfTab);
  const [term] = terms;
  if (term === undefined) return null;
  if (terms.length > 1 || term.isNot) return undefined;
  if (term.field === 'held') return 'held';
  return term.field === 'status' && term.values.length === 1 ? term.values[0] : undefined;
}

function withTab(filter: string, tab: Tab | null): string {
  const parsed = parseFilter(filter);
  const others = parsed.isOk ? parsed.filter.terms.filter((term) => !isOfTab(term)) : [];
  const terms: readonly JobFilterTerm[] =
    tab === null
      ? []
      : tab === 'held'
        ? [{ field: 'held', isNot: false, values: ['any'] }]
        : [{ field: 'status', isNot: false, values: [tab] }];
  return formatFilter({ terms: [...terms, ...others] });
}

const isOfTab = (term: JobFilterTerm): term is StatusTerm | HeldTerm =>
  term.field === 'status' || term.field === 'held';
