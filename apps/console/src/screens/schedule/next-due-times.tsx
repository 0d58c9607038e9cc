import { useNextDueTimes, type PreviewedDueTime, type Schedule } from '../../api/use-schedules.js';
import { texts } from '../../texts/texts.js';
import { useNow } from '../../time/use-now.js';
import { Age } from '../../ui/marks/moment.js';
import { classNames } from '../../ui/class-names.js';
import { listNext } from './list-next.js';

const words = texts.schedules;

/** The due times that come, with a mark where clocks change. */
export function NextDueTimes({ schedule }: { readonly schedule: Schedule }) {
  const now = useNow();
  const data = useNextDueTimes(schedule).data?.filter(({ firesAt }) => Date.parse(firesAt) >= now - 1_000);
  return (
    <section className="mt-6">
      <h2 className="mb-1.5 text-sm font-semibold">
        {words.nextRuns} <span className="font-normal text-faint">{words.nextRunsIn(schedule.timeZone)}</span>
      </h2>
      {schedule.isPaused && <p className="mb-1.5 text-soft">{words.nextPaused}</p>}
      {data === undefined ? (
        <div className="min-h-66" />
      ) : data.length === 0 ? (
        <p className="text-soft">{words.noNext}</p>
      ) : (
        <DueTimeList dueTimes={data} />
      )}
    </section>
  );
}

/** Due times in their own zone, one a line. */
export function DueTimeList({
  dueTimes,
  shown = 8,
}: {
  readonly dueTimes: readonly PreviewedDueTime[];
  readonly shown?: number;
}) {
  // all of them are written alike
  const hasSeconds = dueTimes.some(({ local }) => !local.slice(16, 19).endsWith(':00'));
  return (
    <ol className="overflow-hidden rounded-md border border-line">
      {listNext(dueTimes, shown).map(({ dueTime, clockMinutes, isApart }) => {
        const notes = [
          clockMinutes === 0 ? null : words.clocks(clockMinutes),
          dueTime.dst === null ? null : words.dst[dueTime.dst],
        ].filter((note) => note !== null);
        return (
          <li
            key={dueTime.dueAt}
            className={classNames(
              'flex flex-wrap items-baseline gap-x-3 border-b border-line/70 px-3 py-1.5 last:border-0',
              notes.length > 0 && 'bg-failed-wash',
            )}
          >
            {isApart && (
              <span className="-mx-3 -mt-1.5 w-[calc(100%+1.5rem)] border-b border-line bg-sunken px-3 py-0.5 text-xs text-faint">
                {words.apart}
              </span>
            )}
            <time dateTime={dueTime.dueAt} title={dueTime.dueAt}>
              {formatLocal(dueTime.local, hasSeconds)}
            </time>
            <span className="text-xs text-faint">{dueTime.local.slice(19)}</span>
            {notes.length > 0 && (
              <span className="flex min-w-0 items-center gap-1.5 text-failed max-md:order-last max-md:w-full md:flex-1">
                <ClockShape />
                {notes.join('. ')}
              </span>
            )}
            <span className="ml-auto text-xs text-soft">
              <Age at={dueTime.firesAt} />
            </span>
          </li>
        );
      })}
    </ol>
  );
}

/** `Mon 2026-01-31 09:00`, or with seconds. */
function formatLocal(local: string, hasSeconds: boolean): string {
  const day = local.slice(0, 10);
  const time = local.slice(11, 19);
  const weekday = words.weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()]!;
  return `${weekday} ${day} ${hasSeconds ? time : time.slice(0, 5)}`;
}

const ClockShape = () => (
  <svg
    viewBox="0 0 12 12"
    width="12"
    height="12"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    className="shrink-0"
  >
    <path d="M9.8 6A3.8 3.8 0 1 1 8.4 3M8.6 1v2.2H6.4M6 4v2l1.3.8" />
  </svg>
);
