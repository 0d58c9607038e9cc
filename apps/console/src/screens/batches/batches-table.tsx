import { Link, useNavigate } from '@tanstack/react-router';
import { useRef, type MouseEvent } from 'react';
import { MOMENTS, type Batch } from '../../api/batch-queries.js';
import { useShortcuts } from '../../shell/shortcuts.js';
import { texts } from '../../texts/texts.js';
import { formatCount } from '../../time/format-count.js';
import { classNames } from '../../ui/class-names.js';
import { Age } from '../../ui/marks/moment.js';
import { StatusShape } from '../../ui/marks/status-badge.js';
import { BatchProgress } from '../batch/batch-progress.js';

const words = texts.batch;
const CELL = 'py-2 align-top md:px-3 md:first:pl-5';
const COLUMNS = [
  ['name', ''],
  ['progress', 'md:w-[28%]'],
  ['failed', 'md:w-24'],
  ['callbacks', 'md:w-52'],
  ['created', 'md:w-32'],
] as const;

/** Batches as a table, and as cards on a phone. */
export function BatchesTable({ batches }: { readonly batches: readonly Batch[] }) {
  const body = useRef<HTMLTableSectionElement>(null);
  function go(step: 1 | -1): void {
    const links = [...(body.current?.querySelectorAll<HTMLElement>('a[data-row]') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    links[Math.min(links.length - 1, Math.max(0, at + step))]?.focus();
  }
  useShortcuts([
    { keys: 'j', words: texts.keys.next, group: 'here', run: () => go(1) },
    { keys: 'k', words: texts.keys.previous, group: 'here', run: () => go(-1) },
  ]);
  return (
    <table role="table" aria-label={words.listTitle} className="w-full table-fixed border-collapse max-md:block">
      <thead role="rowgroup" className="max-md:sr-only">
        <tr role="row" className="border-b border-line text-left text-xs text-faint">
          {COLUMNS.map(([id, look]) => (
            <th
              role="columnheader"
              key={id}
              scope="col"
              className={classNames('px-3 py-1.5 font-medium first:pl-5', look)}
            >
              {words.column[id]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" ref={body} className="max-md:block">
        {batches.map((batch) => (
          <Row key={batch.id} batch={batch} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ batch }: { readonly batch: Batch }) {
  const { id, name, dead, createdAt } = batch;
  const navigate = useNavigate();
  function open({ target }: MouseEvent): void {
    if (target instanceof Element && target.closest('a') !== null) return;
    if (getSelection()?.isCollapsed === false) return;
    void navigate({ to: '/batches/$id', params: { id } });
  }
  return (
    <tr
      role="row"
      onClick={open}
      className="cursor-pointer border-b border-line/70 hover:bg-sunken has-[a:focus-visible]:bg-accent-wash max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-3 max-md:px-4 max-md:py-2"
    >
      <td role="cell" className={classNames(CELL, 'max-md:py-0.5')}>
        <Link to="/batches/$id" params={{ id }} data-row={id} className="block truncate font-medium hover:underline">
          {name ?? id}
        </Link>
        {name !== null && <span className="block truncate font-mono text-xs text-faint max-md:hidden">{id}</span>}
      </td>
      <td role="cell" className={classNames(CELL, 'max-md:order-3 max-md:col-span-2 max-md:py-0.5')}>
        <BatchProgress batch={batch} />
      </td>
      <td role="cell" className={classNames(CELL, 'max-md:order-5 max-md:py-0.5')}>
        {dead > 0 ? (
          <span className="font-medium text-dead">
            <span className="md:hidden">{words.dead(formatCount(dead))}</span>
            <span className="max-md:hidden">{formatCount(dead)}</span>
          </span>
        ) : (
          <span className="text-faint max-md:hidden">0</span>
        )}
      </td>
      <td role="cell" className={classNames(CELL, 'text-xs max-md:order-4 max-md:py-0.5')}>
        <Follows batch={batch} />
      </td>
      <td role="cell" className={classNames(CELL, 'text-soft max-md:order-2 max-md:py-0.5 max-md:text-xs')}>
        <Age at={createdAt} />
      </td>
    </tr>
  );
}

/** What it enqueues, and whether it has. */
function Follows({ batch: { planned, callbacks } }: { readonly batch: Batch }) {
  const given = MOMENTS.filter((moment) => planned.includes(moment));
  if (given.length === 0) return <span className="text-faint">–</span>;
  return (
    <ul>
      {given.map((moment) => {
        const isDone = callbacks[moment] !== null;
        return (
          <li
            key={moment}
            className={classNames('flex items-center gap-1.5', isDone ? 'text-succeeded' : 'text-faint')}
          >
            <StatusShape status={isDone ? 'succeeded' : 'queued'} />
            {words.short[moment]}: {isDone ? words.happened : words.pending}
          </li>
        );
      })}
    </ul>
  );
}
