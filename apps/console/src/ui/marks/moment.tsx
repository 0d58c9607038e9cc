import { formatAge, formatMoment } from '../../time/format-moment.js';
import { useNow } from '../../time/use-now.js';
import { useZone } from '../../time/zone-store.js';

/** How long ago, or until when; the time itself is its title, in both zones. null: nobody knows. */
export function Age({ at }: { readonly at: string | null }) {
  return at === null ? <>–</> : <KnownAge at={at} />;
}

function KnownAge({ at }: { readonly at: string }) {
  const date = new Date(at);
  const now = useNow();
  return (
    <time dateTime={at} title={`${formatMoment(date, 'local')}\n${formatMoment(date, 'utc')} UTC`}>
      {formatAge(date, now)}
    </time>
  );
}

/** The time itself, in the zone that was chosen; how long ago is its title. */
export function Moment({ at }: { readonly at: string }) {
  const date = new Date(at);
  const zone = useZone();
  return (
    <time dateTime={at} title={formatAge(date, Date.now())}>
      {formatMoment(date, zone)}
    </time>
  );
}
