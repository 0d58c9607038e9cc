import { formatDuration } from '../../time/format-duration.js';
import { formatTime } from '../../time/format-moment.js';
import { useZone } from '../../time/zone-store.js';
import { classNames } from '../../ui/class-names.js';
import type { LifeEvent } from './list-events.js';

const DOTS: Readonly<Record<LifeEvent['tone'], string>> = {
  plain: 'bg-line-strong',
  queued: 'bg-queued',
  running: 'bg-running',
  succeeded: 'bg-succeeded',
  failed: 'bg-failed',
  dead: 'bg-dead',
  cancelled: 'bg-cancelled',
};

/** What happened, and how long after the event before. */
export function LifeList({ events }: { readonly events: readonly LifeEvent[] }) {
  const zone = useZone();
  const now = new Date();
  const times = events.map(({ at }) => formatTime(new Date(at), zone, now));
  const isLong = times.some((time) => time.length > 8);
  return (
    <ol className="mt-3">
      {events.map((event, index) => {
        const before = events[index - 1];
        const at = new Date(event.at);
        return (
          <li
            key={event.at + event.words}
            className={classNames(
              'grid items-baseline gap-x-2 py-1 max-md:grid-cols-[1rem_1fr_auto]',
              isLong ? 'grid-cols-[8.5rem_1rem_1fr_auto]' : 'grid-cols-[3.5rem_1rem_1fr_auto]',
            )}
          >
            <time dateTime={event.at} title={event.at} className="text-xs whitespace-nowrap text-soft max-md:hidden">
              {times[index]}
            </time>
            <span
              aria-hidden="true"
              className={classNames('mx-auto size-2 self-center rounded-full', DOTS[event.tone])}
            />
            <span className="min-w-0">
              {event.words}
              {event.detail !== null && <span className="block truncate text-xs text-soft">{event.detail}</span>}
            </span>
            <span className="text-xs text-faint">
              {before !== undefined &&
                at.getTime() > Date.parse(before.at) &&
                `+${formatDuration(at.getTime() - Date.parse(before.at))}`}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
