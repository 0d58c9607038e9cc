import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError, isPassing } from '../../api/api-error.js';
import { BulkPanel } from '../../bulk/bulk-panel.js';
import { BulkProgress } from '../../bulk/bulk-progress.js';
import { useFollowedAction } from '../../bulk/followed-action.js';
import { SelectionBar } from '../../bulk/selection-bar.js';
import { useSelection, type Selection } from '../../bulk/use-selection.js';
import { useMay } from '../../session/use-principal.js';
import { useIsDone } from '../../session/use-refusal.js';
import { texts } from '../../texts/texts.js';
import { Button } from '../../ui/inputs/button.js';
import { ColumnsIcon } from '../../ui/icons.js';
import { Menu, MenuCheck } from '../../ui/inputs/menu.js';
import { LiveMark } from '../../ui/marks/live-mark.js';
import { ProblemState } from '../../ui/problem-state.js';
import { useHold } from '../../ui/use-hold.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { BatchStrip } from './batch-strip.js';
import { COLUMN_IDS, printColumns, readColumns } from './columns.js';
import { FilterBar } from './filter-bar.js';
import { JobsTable } from './jobs-table.js';
import { NoJobs } from './no-jobs.js';
import { StatusTabs } from './status-tabs.js';
import { useHeldJobs } from './use-held-jobs.js';
import { useJobCount, useJobPage } from './use-job-page.js';
import { ViewsMenu } from './views-menu.js';

/** Before the first answer: the same list each time, because another one is another page. */
const NONE: readonly never[] = [];

/** Jobs that fit a filter. What is shown is all in the address: filter, page and columns. */
export function JobsScreen() {
  const { filter = '', cursor, columns } = useSearch({ from: '/jobs' });
  const navigate = useNavigate({ from: '/jobs' });
  const shown = readColumns(columns);
  const { isHeld, holdProps } = useHold<HTMLDivElement>();
  const page = useJobPage(filter, cursor);
  const held = useHeldJobs(page.data?.jobs ?? NONE, isHeld && cursor === undefined, `${filter}\n${cursor ?? ''}`);
  const selection = useSelection(filter);
  const hasBulk = useIsDone('startBulkAction');
  const maySelect = useMay('operate') && hasBulk;
  // a stream is silent while the database is away
  const isAway = isPassing(useJobCount(filter).error);
  usePageTitle(filter === '' ? texts.jobs.title : `${filter} · ${texts.jobs.title}`);

  const goTo = (next: { filter?: string; cursor?: string | undefined; columns?: string | undefined }): void =>
    void navigate({
      search: {
        filter: (next.filter ?? filter) || undefined,
        cursor: next.cursor,
        columns: 'columns' in next ? next.columns : columns,
      },
    });

  return (
    <div className="flex min-h-full flex-col">
      <div className="sticky top-0 z-10 border-b border-line bg-canvas px-5 pt-3 pb-2 max-md:top-12 max-md:px-3">
        <h1 className="sr-only">{texts.jobs.title}</h1>
        <FilterBar filter={filter} onFilter={(text) => goTo({ filter: text })} />
        <BatchStrip filter={filter} />
        <BarRow filter={filter} selection={selection}>
          <StatusTabs filter={filter} onFilter={(text) => goTo({ filter: text })} />
          <JobCount filter={filter} />
          {page.isLive && !isAway && <LiveMark />}
          <div className="ml-auto flex items-center gap-1">{hasBulk && <BulkPanel />}</div>
          <div className="flex items-center gap-1 max-md:hidden">
            <ViewsMenu current={{ filter, columns }} onView={(view) => goTo(view)} />
            <Menu
              label={texts.jobs.columns}
              kind="quiet"
              trigger={
                <>
                  <ColumnsIcon />
                  {texts.jobs.columns}
                </>
              }
            >
              {COLUMN_IDS.map((id) => (
                <MenuCheck
                  key={id}
                  isChecked={shown.includes(id)}
                  onChange={(isOn) =>
                    goTo({ cursor, columns: printColumns(isOn ? [...shown, id] : shown.filter((one) => one !== id)) })
                  }
                >
                  {texts.jobs.column[id]}
                </MenuCheck>
              ))}
            </Menu>
          </div>
        </BarRow>
      </div>
      {page.isError && page.data === undefined ? (
        <ProblemState error={page.error} onRetry={() => void page.refetch()} />
      ) : (
        page.data !== undefined && (
          <>
            {/* the button is within, or the rows would move while a pointer is on its way to it */}
            <div {...holdProps}>
              <div role="status" className="sticky top-24 z-10 flex h-0 justify-center">
                {held.newer > 0 && isHeld && (
                  <Button
                    kind="primary"
                    className="mt-2 rounded-full! shadow-raised"
                    onClick={() => {
                      held.release();
                      document.getElementById('main')?.focus();
                    }}
                  >
                    {texts.jobs.newer(held.newer)}
                  </Button>
                )}
              </div>
              {held.jobs.length === 0 && page.data.complete ? (
                <NoJobs filter={filter} onFilter={(text) => goTo({ filter: text })} />
              ) : (
                <JobsTable
                  jobs={held.jobs}
                  shown={shown}
                  isStale={page.isPlaceholderData}
                  selection={maySelect ? selection : null}
                />
              )}
            </div>
            <Pager
              page={page.data}
              cursor={cursor}
              onCursor={(next) => {
                goTo({ cursor: next });
                document.getElementById('main')?.focus();
              }}
            />
          </>
        )
      )}
    </div>
  );
}

interface BarRowProps {
  readonly filter: string;
  readonly selection: Selection;
  readonly children: ReactNode;
}

/** The row above the table. What is selected, or the action that was begun last, takes its place, so that nothing moves. */
function BarRow({ filter, selection, children }: BarRowProps) {
  const followed = useFollowedAction();
  const { data } = useJobCount(filter);
  const isSelecting = selection.isAll || selection.jobs.size > 0;
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
      {isSelecting ? (
        <SelectionBar selection={selection} count={data?.text} />
      ) : followed !== null ? (
        <BulkProgress key={followed} id={followed} />
      ) : (
        children
      )}
    </div>
  );
}

function JobCount({ filter }: { readonly filter: string }) {
  const { data, error } = useJobCount(filter);
  const isTooBroad = error instanceof ApiError && error.code === 'filter_too_broad';
  return (
    <p className="text-sm text-faint">
      {isTooBroad ? texts.jobs.tooBroad : data !== undefined && texts.jobs.count(data.text, data.count === 1)}
    </p>
  );
}

interface PagerProps {
  readonly page: {
    readonly nextCursor: string | null;
    readonly previousCursor: string | null;
    readonly complete: boolean;
    readonly hint: string | null;
  };
  readonly cursor: string | undefined;
  readonly onCursor: (cursor: string | undefined) => void;
}

/** On and back, from key to key: what arrives meanwhile shifts no page. */
function Pager({ page, cursor, onCursor }: PagerProps) {
  const { nextCursor, previousCursor, complete, hint } = page;
  if (cursor === undefined && nextCursor === null && complete) return null;
  return (
    <div className="flex flex-wrap items-center gap-2 px-5 py-3 max-md:px-4">
      {cursor !== undefined && (
        <>
          <Button onClick={() => onCursor(undefined)}>{texts.jobs.first}</Button>
          <Button disabled={previousCursor === null} onClick={() => onCursor(previousCursor!)}>
            {texts.jobs.previous}
          </Button>
        </>
      )}
      <Button disabled={nextCursor === null} onClick={() => onCursor(nextCursor!)}>
        {complete ? texts.jobs.next : texts.jobs.goOn}
      </Button>
      {!complete && (
        <p className="text-soft">
          {texts.jobs.incomplete} {hint}
        </p>
      )}
    </div>
  );
}
