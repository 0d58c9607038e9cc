import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { WorkflowPlace } from '../../api/workflow-queries.js';
import { texts } from '../../texts/texts.js';
import { formatCount } from '../../time/format-count.js';
import { formatDuration } from '../../time/format-duration.js';
import { useNow } from '../../time/use-now.js';
import { Button } from '../../ui/inputs/button.js';
import { classNames } from '../../ui/class-names.js';

const words = texts.workflows;
const FEW = 8;
const CELL = 'py-1.5 pr-3 align-top first:pl-4 max-md:first:pl-3';

interface PlacesTableProps {
  readonly type: string;
  readonly places: readonly WorkflowPlace[];
}

/** The steps at which jobs of a type are, as bars: where most are comes first. */
export function PlacesTable({ type, places }: PlacesTableProps) {
  const [isAll, showAll] = useState(false);
  const most = Math.max(...places.map(({ jobs }) => jobs));
  const shown = isAll ? places : places.slice(0, FEW);
  return (
    <div className="min-w-0">
      <table aria-label={words.places(type)} className="w-full table-fixed border-collapse">
        <thead>
          <tr className="text-left text-xs text-faint">
            <th scope="col" className={classNames(CELL, 'font-medium')}>
              {words.column.step}
            </th>
            <th scope="col" className={classNames(CELL, 'w-[28%] font-medium max-md:hidden')}>
              {words.column.why}
            </th>
            <th scope="col" className={classNames(CELL, 'w-[24%] font-medium max-md:w-24')}>
              {words.column.jobs}
            </th>
            <th
              scope="col"
              title={words.sinceWords}
              className={classNames(CELL, 'w-24 text-right font-medium max-md:w-20')}
            >
              {words.column.since}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((place) => (
            <PlaceRow key={`${place.kind} ${place.signal} ${place.step}`} place={place} most={most} />
          ))}
        </tbody>
      </table>
      {shown.length < places.length && (
        <Button kind="quiet" className="mx-2 mb-1.5" onClick={() => showAll(true)}>
          {words.all(places.length)}
        </Button>
      )}
    </div>
  );
}

function PlaceRow({ place, most }: { readonly place: WorkflowPlace; readonly most: number }) {
  const { step, kind, jobs, isAtLeast, since, filter } = place;
  const now = useNow();
  const isRunning = kind === 'work';
  return (
    <tr className="border-t border-line/70 hover:bg-sunken">
      <th scope="row" className={classNames(CELL, 'text-left font-normal')}>
        <Link
          to="/jobs"
          search={{ filter, cursor: undefined, columns: undefined }}
          className="font-mono text-xs font-medium break-words linked"
        >
          {isRunning ? (step === null ? words.first : words.after(step)) : step}
        </Link>
        <span className="block text-xs text-soft md:hidden">{spellWhy(place)}</span>
      </th>
      <td className={classNames(CELL, 'break-words text-soft max-md:hidden')}>{spellWhy(place)}</td>
      <td className={CELL}>
        {formatCount(jobs, isAtLeast)}
        <span aria-hidden="true" className="mt-0.5 block h-1.5 rounded-full bg-sunken">
          <span
            className={classNames('block h-1.5 min-w-1 rounded-full', isRunning ? 'bg-running' : 'bg-accent')}
            style={{ width: `${(100 * jobs) / most}%` }}
          />
        </span>
      </td>
      <td className={classNames(CELL, 'text-right whitespace-nowrap text-soft')}>
        {formatDuration(Math.max(1_000, now - Date.parse(since)))}
      </td>
    </tr>
  );
}

function spellWhy({ kind, signal }: WorkflowPlace): string {
  if (kind === 'work') return words.runs;
  return kind === 'signal' ? words.signal(signal ?? '') : words.kinds[kind];
}
