import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useSchedulePage } from '../../api/use-schedules.js';
import { useMay } from '../../session/use-principal.js';
import { texts } from '../../texts/texts.js';
import { Button } from '../../ui/inputs/button.js';
import { classNames } from '../../ui/class-names.js';
import { OptionRow } from '../../ui/inputs/option-row.js';
import { ProblemState } from '../../ui/problem-state.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { NewScheduleDialog } from './new-schedule-dialog.js';
import { NoSchedules } from './no-schedules.js';
import { SchedulesTable } from './schedules-table.js';

const words = texts.schedules;
const TABS = ['all', 'on', 'paused'] as const;
/** As the address says it. */
const PAUSED = { all: undefined, on: 'false', paused: 'true' } as const;

/** Every schedule by its key: how it is, what it means, when it comes and what became of its last due times. */
export function SchedulesScreen() {
  const { paused, cursor } = useSearch({ from: '/schedules' });
  const navigate = useNavigate({ from: '/schedules' });
  const isPaused = paused === 'true' ? true : paused === 'false' ? false : undefined;
  const page = useSchedulePage(isPaused, cursor);
  const maySave = useMay('schedules');
  const [isNewOpen, makeNew] = useState(false);
  usePageTitle(words.title);
  const goTo = (search: { paused: string | undefined; cursor: string | undefined }): void => void navigate({ search });

  return (
    <div className="flex min-h-full flex-col">
      <div className="sticky top-0 z-10 flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-canvas px-5 py-2 max-md:top-12 max-md:px-3">
        <h1 className="text-[0.9375rem] font-semibold tracking-tight">{words.title}</h1>
        <OptionRow
          label={words.quick}
          value={isPaused === undefined ? 'all' : isPaused ? 'paused' : 'on'}
          options={TABS.map((id) => ({ id, content: words.tabs[id] }))}
          onChange={(id) => goTo({ paused: PAUSED[id], cursor: undefined })}
        />
        {maySave && (
          <Button className="ml-auto" onClick={() => makeNew(true)}>
            {words.new}
          </Button>
        )}
      </div>
      {isNewOpen && <NewScheduleDialog onClose={() => makeNew(false)} />}
      {page.data === undefined ? (
        page.isError && <ProblemState error={page.error} onRetry={() => void page.refetch()} />
      ) : page.data.schedules.length === 0 ? (
        <NoSchedules isPaused={isPaused} />
      ) : (
        <>
          <div className={classNames(page.isPlaceholderData && 'opacity-60')}>
            <SchedulesTable schedules={page.data.schedules} />
          </div>
          {(cursor !== undefined || page.data.nextCursor !== null) && (
            <div className="flex gap-2 px-5 py-3 max-md:px-4">
              {cursor !== undefined && (
                <Button onClick={() => goTo({ paused, cursor: undefined })}>{words.previous}</Button>
              )}
              <Button
                disabled={page.data.nextCursor === null}
                onClick={() => goTo({ paused, cursor: page.data.nextCursor! })}
              >
                {words.next}
              </Button>
            </div>
          )}
        </>
      )}
    </div>
  );
}
