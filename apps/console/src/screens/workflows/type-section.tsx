import type { WorkflowType } from '../../api/workflow-queries.js';
import { texts } from '../../texts/texts.js';
import { formatCount } from '../../time/format-count.js';
import { FilterLink } from '../../ui/filter-link.js';
import { StatusBadge } from '../../ui/marks/status-badge.js';
import { PlacesTable } from './places-table.js';
import { StepTimes } from './step-times.js';

const words = texts.workflows;

/** One type: how many wait and run, where, how long its steps take, and what is compensated. */
export function TypeSection({ type }: { readonly type: WorkflowType }) {
  const { running, waiting, isAtLeast, places, steps, compensations } = type;
  const count = (of: number): string => formatCount(of, isAtLeast);
  return (
    <section aria-label={type.type} className="rounded-lg border border-line bg-surface">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 max-md:px-3 [&:has(+div>*)]:border-b [&:has(+div>*)]:border-line">
        <h2 className="mr-auto min-w-0 text-base font-semibold">
          <FilterLink fields={{ type: type.type }} className="break-all">
            {type.type}
          </FilterLink>
        </h2>
        {compensations.running > 0 && (
          <StatusBadge
            status="failed"
            words={words.compensating(formatCount(compensations.running), compensations.running === 1)}
          />
        )}
        {compensations.failed > 0 && (
          <FilterLink fields={{ type: type.type, status: 'dead' }}>
            <StatusBadge
              status="dead"
              words={words.notUndone(formatCount(compensations.failed), compensations.failed === 1)}
            />
          </FilterLink>
        )}
        {waiting > 0 && <StatusBadge status="waiting" words={words.waiting(count(waiting))} />}
        {places.length === 0 && <span className="text-soft">{words.idle}</span>}
        {running > 0 && <StatusBadge status="running" words={words.running(count(running))} />}
      </header>
      <div className={places.length === 0 ? 'lg:w-[32rem]' : 'grid grid-cols-[minmax(0,1fr)_24rem] max-lg:grid-cols-1'}>
        {places.length > 0 && <PlacesTable type={type.type} places={places} />}
        {steps.length > 0 && (
          <div className={places.length === 0 ? '' : 'min-w-0 border-line max-lg:border-t lg:border-l'}>
            <StepTimes type={type.type} steps={steps} />
          </div>
        )}
      </div>
    </section>
  );
}
