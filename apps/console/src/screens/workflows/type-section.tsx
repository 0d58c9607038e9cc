import { Link } from '@tanstack/react-router';
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
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2.5 max-md:px-3">
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
          <Link
            to="/jobs"
            search={{
              filter: `type:${type.type} status:dead`,
              cursor: undefined,
              columns: undefined,
            }}
          >
            <StatusBadge
              status="dead"
              words={words.notUndone(formatCount(compensations.failed), compensations.failed === 1)}
            />
          </Link>
        )}
        {waiting > 0 && <StatusBadge status="waiting" words={words.waiting(count(waiting))} />}
        {running > 0 && <StatusBadge status="running" words={words.running(count(running))} />}
      </header>
      <div className="grid grid-cols-[minmax(0,1fr)_24rem] max-lg:grid-cols-1">
        {places.length === 0 ? (
          <p className="px-4 py-3 text-soft max-md:px-3">{words.idle}</p>
        ) : (
          <PlacesTable type={type.type} places={places} />
        )}
        {steps.length > 0 && <StepTimes type={type.type} steps={steps} />}
      </div>
    </section>
  );
}
