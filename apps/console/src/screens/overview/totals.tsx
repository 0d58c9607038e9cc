import type { ReactNode } from 'react';
import type { QueueState, Worker } from '../../api/now-queries.js';
import { texts } from '../../texts/texts.js';
import { formatCount } from '../../time/format-count.js';
import { formatShortDuration } from '../../time/format-duration.js';
import { FilterLink } from '../../ui/filter-link.js';

const words = texts.overview.totals;
const LATELY_MINUTES = 5;

interface TotalsProps {
  readonly places: readonly QueueState[];
  /** null: this queue does not know its workers. */
  readonly workers: readonly Worker[] | null;
}

/** Now, in six figures. */
export function Totals({ places, workers: listed }: TotalsProps) {
  const workers = (listed ?? []).filter(({ state }) => state !== 'lost');
  const sum = (name: 'due' | 'running' | 'succeeded' | 'failed' | 'dead' | 'retrying' | 'scheduled' | 'held'): number =>
    places.reduce((total, place) => total + (place[name] ?? 0), 0);
  const isPastKept = places.every(({ succeeded }) => succeeded !== null);
  const isAtLeast = places.some((place) => place.isAtLeast);
  const [oldest] = places
    .filter(({ due }) => due > 0)
    .toSorted((a, b) => b.oldestWaitingSeconds - a.oldestWaitingSeconds);
  const failures = sum('failed') + sum('dead');
  const ended = sum('succeeded') + failures;
  const slots = workers.reduce((total, worker) => total + (worker.slots ?? 0), 0);
  const held = workers.reduce((total, worker) => total + worker.held, 0);
  return (
    <dl className="mt-3 grid grid-cols-6 overflow-hidden rounded-lg border border-line bg-surface max-lg:grid-cols-3 max-md:grid-cols-2">
      <Total
        name={words.due}
        more={words.later(formatCount(sum('scheduled')), formatCount(sum('retrying')))}
        also={
          sum('held') > 0 && (
            <FilterLink fields={{ held: 'any' }}>{words.held(formatCount(sum('held'), isAtLeast))}</FilterLink>
          )
        }
      >
        {formatCount(sum('due'), isAtLeast)}
      </Total>
      <Total
        name={words.oldest}
        more={oldest === undefined ? words.nothingDue : texts.overview.of(oldest.type, oldest.queue)}
      >
        {oldest === undefined ? '–' : formatShortDuration(oldest.oldestWaitingSeconds * 1_000)}
      </Total>
      <Total
        name={words.running}
        more={listed === null ? '' : words.slots(formatCount(Math.min(held, slots)), formatCount(slots))}
      >
        {formatCount(sum('running'))}
      </Total>
      <Total name={words.succeeded} more={isPastKept ? words.lately : words.notKept}>
        {!isPastKept ? '–' : formatRate(sum('succeeded') / LATELY_MINUTES)}
        {isPastKept && <span className="text-sm font-normal text-soft"> {words.perMinute}</span>}
      </Total>
      <Total name={words.failures} more={isPastKept ? words.lately : words.notKept}>
        {ended === 0 ? '–' : formatShare(failures / ended)}
        {failures > 0 && <span className="text-sm font-normal text-soft"> {words.ofEnded(formatCount(failures))}</span>}
      </Total>
      <Total
        name={words.workers}
        more={listed === null ? words.notKnown : workers.map(({ name }) => name).join(', ') || words.noWorkers}
      >
        {listed === null ? '–' : formatCount(workers.length)}
      </Total>
    </dl>
  );
}

const formatRate = (rate: number): string => (rate > 0 && rate < 10 ? rate.toFixed(1) : formatCount(Math.round(rate)));

const formatShare = (share: number): string => (share > 0 && share < 0.01 ? '< 1 %' : `${Math.round(share * 100)} %`);

interface TotalProps {
  readonly name: string;
  readonly more: string;
  readonly also?: ReactNode;
  readonly children: ReactNode;
}

function Total({ name, more, also, children }: TotalProps) {
  return (
    <div className="-mb-px -ml-px min-w-0 border-b border-l border-line px-3.5 py-2.5">
      <dt className="text-xs text-faint">{name}</dt>
      <dd className="text-lg leading-7 font-semibold tracking-tight">{children}</dd>
      <dd className="truncate text-xs text-soft" title={more}>
        {more}
      </dd>
      {also && <dd className="text-xs">{also}</dd>}
    </div>
  );
}
