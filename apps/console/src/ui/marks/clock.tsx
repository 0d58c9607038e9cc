import { formatMoment, formatTime } from '../../time/format-moment.js';
import { serverNow } from '../../time/server-clock.js';
import { useZone } from '../../time/zone-store.js';

/** The time of the day to the minute, `14:02`; of another day with its date. */
export function Clock({ at }: { readonly at: string }) {
  const zone = useZone();
  const date = new Date(at);
  return (
    <time dateTime={at} title={`${formatMoment(date, 'local')}\n${formatMoment(date, 'utc')} UTC`}>
      {formatTime(date, zone, new Date(serverNow())).replace(/:\d\d$/, '')}
    </time>
  );
}
