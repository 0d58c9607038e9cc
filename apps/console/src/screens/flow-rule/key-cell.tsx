import { Link } from '@tanstack/react-router';
import type { FlowKey, FlowRule } from '../../api/flow-queries.js';
import { texts } from '../../texts/texts.js';
import { formatCount } from '../../time/format-count.js';
import { formatShortDuration } from '../../time/format-duration.js';
import { useNow } from '../../time/use-now.js';
import { FilterLink } from '../../ui/filter-link.js';
import { Bar } from '../../ui/marks/bar.js';
import { Age } from '../../ui/marks/moment.js';
import { Usage } from '../../ui/marks/usage.js';
import { formatShare } from '../flow/spell-terms.js';

const words = texts.flow;
const HOLDERS_SHOWN = 6;

export type KeyColumn = 'use' | 'holders' | 'next' | 'weight' | 'share' | 'failures';

interface KeyCellProps {
  readonly column: KeyColumn;
  readonly of: FlowKey;
  readonly rule: FlowRule;
}

/** What a column says of a key. */
export function KeyCell({ column, of, rule }: KeyCellProps) {
  switch (column) {
    case 'use':
      return <Usage used={of.used} max={rule.terms.max ?? 0} />;
    case 'holders':
      return <Holders of={of} isOfTypes={rule.types.length > 1} />;
    case 'next':
      return <span className="text-soft">{of.nextAt === null ? words.now : <Age at={of.nextAt} />}</span>;
    case 'weight':
      return <span className="text-soft">{of.weight ?? words.nobody}</span>;
    case 'share':
      return <Share used={of.used} all={rule.used} />;
    case 'failures':
      return <Failures of={of} rule={rule} />;
  }
}

/** Those that hold a key, each with how long, which lead to the jobs. */
function Holders({ of, isOfTypes }: { readonly of: FlowKey; readonly isOfTypes: boolean }) {
  const now = useNow();
  const { key, holders, used } = of;
  if (holders.length === 0) return <span className="text-faint">{words.nobody}</span>;
  const shown = holders.slice(0, HOLDERS_SHOWN);
  const units = shown.reduce((sum, holder) => sum + holder.units, 0);
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-0.5">
      {shown.map(({ id, type, status, units: taken, since }) => (
        <li key={id} className="whitespace-nowrap">
          <Link to="/jobs/$id" params={{ id }} className="linked inline-flex min-h-6 items-center font-mono text-xs">
            {id}
          </Link>{' '}
          <span className={status === 'dead' ? 'font-medium text-dead' : 'text-soft'}>
            {isOfTypes && `${type} `}
            {taken > 1 && `${words.units(taken)} `}
            {status !== 'running' && `${status === 'dead' ? texts.statuses.dead : words.wasLetIn} `}
            {words.oldest(formatShortDuration(Math.max(0, now - Date.parse(since))))}
          </span>
        </li>
      ))}
      {used > units && (
        <li>
          <FilterLink fields={{ gate: key }}>{words.more(used - units)}</FilterLink>
        </li>
      )}
    </ul>
  );
}

/** Of all that runs in the turns of tenants. */
function Share({ used, all }: { readonly used: number; readonly all: number }) {
  const share = all === 0 ? 0 : Math.min(1, used / all);
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap" title={words.shareOf(formatShare(share))}>
      <Bar value={share} max={1} aria-hidden="true" className="w-24" />
      <span className="w-6 text-right">{formatCount(used)}</span>
      <span className="w-9 text-right text-xs text-soft">{formatShare(share)}</span>
    </span>
  );
}

/** A tick for each share of a tenth that has failed, and where the breaker opens. */
function Failures({ of: { failed, attempts }, rule }: { readonly of: FlowKey; readonly rule: FlowRule }) {
  const { share = 1 } = rule.terms;
  const count = failed ?? 0;
  const all = attempts ?? 0;
  const now = all === 0 ? 0 : count / all;
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <span className="relative h-2.5 w-28 overflow-hidden rounded-sm bg-line" aria-hidden="true">
        <svg viewBox="0 0 100 10" preserveAspectRatio="none" className="absolute inset-0 size-full">
          <rect width={now * 100} height="10" className={now >= share ? 'fill-dead' : 'fill-failed'} />
          <rect x={Math.min(98.5, share * 100)} width="1.5" height="10" className="fill-ink" />
        </svg>
      </span>
      <span>{words.failuresOf(count, all)}</span>
      <span className="text-xs text-soft">{words.opensAt(formatShare(share))}</span>
    </span>
  );
}
