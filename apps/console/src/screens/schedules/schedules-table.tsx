import { Link, useNavigate } from '@tanstack/react-router';
import { useRef, type MouseEvent } from 'react';
import type { ListedSchedule } from '../../api/use-schedules.js';
import { useShortcuts } from '../../shell/shortcuts.js';
import { texts } from '../../texts/texts.js';
import { useNow } from '../../time/use-now.js';
import { classNames } from '../../ui/class-names.js';
import { Age } from '../../ui/marks/moment.js';
import { kindOf, type ShownDueTime } from '../schedule/make-due-times.js';
import { ScheduleState, stateOf } from '../schedule/schedule-state.js';
import { DueTimeStrip } from '../schedule/due-time-strip.js';

const words = texts.schedules;
const CELL = 'md:h-9 md:px-3 md:first:pl-5 md:truncate';
/** How wide a column is, and where its cell stands on a card on a phone. */
const COLUMNS = [
  ['state', 'md:w-27'],
  ['key', 'md:w-52'],
  ['rule', ''],
  ['next', 'md:w-28'],
  ['dueTimes', 'md:w-30 text-right'],
  ['type', 'md:w-44 max-lg:hidden'],
] as const;

/** Schedules as a dense table, and as cards on a phone. Sorted by key, so that no row moves. */
export function SchedulesTable({ schedules }: { readonly schedules: readonly ListedSchedule[] }) {
  const body = useRef<HTMLTableSectionElement>(null);
  const navigate = useNavigate();
  const now = useNow();

  function go(step: 1 | -1): void {
    const links = [...(body.current?.querySelectorAll<HTMLElement>('a[data-schedule]') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    links[Math.min(links.length - 1, Math.max(0, at + step))]?.focus();
  }
  useShortcuts([
    { keys: 'j', words: texts.keys.next, group: 'here', run: () => go(1) },
    { keys: 'k', words: texts.keys.previous, group: 'here', run: () => go(-1) },
  ]);

  function open(event: MouseEvent, key: string): void {
    const isOfLink = event.target instanceof Element && event.target.closest('a, button') !== null;
    if (isOfLink || event.defaultPrevented || getSelection()?.isCollapsed === false) return;
    void navigate({ to: '/schedules/$key', params: { key } });
  }

  return (
    <table role="table" aria-label={words.title} className="w-full table-fixed border-collapse max-md:block">
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
        {schedules.map((schedule) => (
          <tr
            role="row"
            key={schedule.key}
            onClick={(event) => open(event, schedule.key)}
            className="cursor-pointer border-b border-line/70 hover:bg-sunken has-[a:focus-visible]:bg-accent-wash max-md:flex max-md:flex-wrap max-md:items-center max-md:gap-x-3 max-md:gap-y-1 max-md:px-4 max-md:py-2.5"
          >
            <td role="cell" className={CELL}>
              <ScheduleState state={stateOf(schedule, now)} />
            </td>
            <td role="cell" className={classNames(CELL, 'max-md:min-w-0 max-md:flex-[1_0_40%] max-md:truncate')}>
              <Link
                to="/schedules/$key"
                params={{ key: schedule.key }}
                data-schedule={schedule.key}
                className="font-medium hover:underline"
              >
                {schedule.key}
              </Link>
            </td>
            <td
              role="cell"
              title={schedule.words}
              className={classNames(CELL, 'max-md:order-4 max-md:min-w-0 max-md:flex-[1_0_60%]')}
            >
              {schedule.words}
              {schedule.cron !== null && (
                <code className="ml-2.5 font-mono text-xs text-faint max-lg:hidden">{schedule.cron}</code>
              )}
            </td>
            <td role="cell" className={classNames(CELL, 'text-soft')}>
              {schedule.nextFiresAt === null ? words.never : !schedule.isPaused && <Age at={schedule.nextFiresAt} />}
            </td>
            <td role="cell" className={classNames(CELL, 'max-md:order-5 max-md:ml-auto')}>
              <DueTimeStrip dueTimes={stripOf(schedule)} isSmall />
            </td>
            <td role="cell" className={classNames(CELL, 'text-soft max-lg:hidden')}>
              {schedule.type}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The last due times of a schedule, the oldest first. */
const stripOf = ({ dueTimes = [] }: ListedSchedule): readonly ShownDueTime[] =>
  dueTimes.map((dueTime) => ({ at: dueTime.dueAt, kind: kindOf(dueTime), dueTime })).toReversed();
