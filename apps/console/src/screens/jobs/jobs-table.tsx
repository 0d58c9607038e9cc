import { useNavigate } from '@tanstack/react-router';
import { useTable } from '@tanstack/react-table';
import { useMemo, useRef, type MouseEvent } from 'react';
import type { Schemas } from '../../api/api-types.js';
import type { Selection } from '../../bulk/use-selection.js';
import { useShortcuts } from '../../shell/shortcuts.js';
import { texts } from '../../texts/texts.js';
import { Checkbox } from '../../ui/inputs/checkbox.js';
import { classNames } from '../../ui/class-names.js';
import { hasDetail } from './job-detail.js';
import { COLUMN_IDS, columns, features, type ColumnId } from './columns.js';

interface JobsTableProps {
  readonly jobs: readonly Schemas['ListedJob'][];
  readonly shown: readonly ColumnId[];
  /** What is shown is of the filter before. */
  readonly isStale: boolean;
  /** null: whoever is signed in may do nothing to jobs. */
  readonly selection: Selection | null;
}

/** How wide a column is on a wide screen, and how its cells look there and as a part of a card on a phone. */
const LOOKS: Partial<Readonly<Record<ColumnId, string>>> = {
  status: 'md:w-33',
  id: 'md:w-44 max-md:col-span-2 max-md:row-start-2',
  type: 'md:w-44 max-md:col-span-2',
  queue: 'md:w-28 max-md:hidden',
  attempts: 'md:w-36 max-md:hidden',
  when: 'md:w-36 max-md:text-right text-soft',
  detail: 'max-md:col-span-2 max-md:row-start-2 max-md:min-w-0 max-md:text-right',
  worker: 'md:w-40 max-md:hidden',
  createdAt: 'md:w-28 max-md:hidden',
  priority: 'md:w-20 max-md:hidden',
  version: 'md:w-20 max-md:hidden',
  key: 'md:w-40 max-md:hidden',
};

/** Jobs as a dense table, and as cards on a phone. Roles are written out, because cards are no table to browsers. */
export function JobsTable({ jobs, shown, isStale, selection }: JobsTableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const navigate = useNavigate();
  // a column without content says nothing
  const isDetailEmpty = !jobs.some(hasDetail);
  const columnVisibility = useMemo(
    () => Object.fromEntries(COLUMN_IDS.map((id) => [id, shown.includes(id) && !(id === 'detail' && isDetailEmpty)])),
    [shown, isDetailEmpty],
  );
  const data = useMemo(() => [...jobs], [jobs]);
  const table = useTable({ features, columns, data, getRowId: ({ id }) => id, state: { columnVisibility } });

  function go(step: 1 | -1): void {
    const links = [...(body.current?.querySelectorAll<HTMLElement>('a[data-job]') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    links[Math.min(links.length - 1, Math.max(0, at + step))]?.focus();
  }
  useShortcuts([
    { keys: 'j', words: texts.keys.next, group: 'here', run: () => go(1) },
    { keys: 'k', words: texts.keys.previous, group: 'here', run: () => go(-1) },
    ...(selection === null ? [] : [{ keys: 'x', words: texts.bulk.toggle, group: 'here' as const, run: toggle }]),
  ]);

  function toggle(): void {
    const row = document.activeElement?.closest('tr');
    const id = row?.querySelector<HTMLElement>('a[data-job]')?.dataset['job'];
    const job = jobs.find((one) => one.id === id);
    if (job !== undefined) selection?.toggle(job);
  }

  function open(event: MouseEvent, id: string): void {
    const isOfLink = event.target instanceof Element && event.target.closest('a, button, input, label') !== null;
    if (isOfLink || event.defaultPrevented || getSelection()?.isCollapsed === false) return;
    if (event.metaKey || event.ctrlKey) body.current?.querySelector<HTMLElement>(`a[data-job="${id}"]`)?.click();
    else void navigate({ to: '/jobs/$id', params: { id } });
  }

  return (
    <table
      role="table"
      aria-label={texts.jobs.title}
      className={classNames('w-full table-fixed border-collapse max-md:block', isStale && 'opacity-60')}
    >
      <thead role="rowgroup" className="max-md:sr-only">
        {table.getHeaderGroups().map((group) => (
          <tr role="row" key={group.id} className="border-b border-line text-left text-xs text-faint">
            {selection !== null && (
              <th role="columnheader" scope="col" className="relative w-11">
                <Checkbox
                  label={texts.bulk.selectPage}
                  isChecked={jobs.length > 0 && jobs.every(({ id }) => selection.has(id))}
                  isMixed={!jobs.every(({ id }) => selection.has(id)) && jobs.some(({ id }) => selection.has(id))}
                  onChange={() => selection.togglePage(jobs)}
                />
              </th>
            )}
            {group.headers.map((header) => (
              <th
                role="columnheader"
                key={header.id}
                scope="col"
                className={classNames(
                  'px-3 py-1.5 font-medium',
                  selection === null && 'first:pl-5',
                  LOOKS[header.column.id as ColumnId],
                )}
              >
                <table.FlexRender header={header} />
              </th>
            ))}
          </tr>
        ))}
      </thead>
      <tbody role="rowgroup" ref={body} className="max-md:block">
        {table.getRowModel().rows.map((row) => (
          <tr
            role="row"
            key={row.id}
            onClick={(event) => open(event, row.id)}
            className={classNames(
              'cursor-pointer border-b border-line/70 hover:bg-sunken has-[a:focus-visible]:bg-accent-wash max-md:grid max-md:grid-cols-[auto_auto_minmax(0,1fr)_auto] max-md:items-center max-md:gap-x-3 max-md:gap-y-0.5 max-md:px-4 max-md:py-2.5',
              selection !== null && 'has-[:checked]:bg-accent-wash max-md:relative max-md:pl-11',
            )}
          >
            {selection !== null && (
              <td role="cell" className="relative max-md:absolute max-md:inset-y-0 max-md:left-0 max-md:w-11">
                <Checkbox
                  label={texts.bulk.select(row.id)}
                  isChecked={selection.has(row.id)}
                  onChange={() => selection.toggle(row.original)}
                />
              </td>
            )}
            {row.getVisibleCells().map((cell) => (
              <td
                role="cell"
                key={cell.id}
                className={classNames(
                  'truncate md:h-8.5 md:px-3',
                  selection === null && 'md:first:pl-5',
                  LOOKS[cell.column.id as ColumnId],
                )}
              >
                <table.FlexRender cell={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
