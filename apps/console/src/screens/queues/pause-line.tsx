import type { Pause } from '../../api/now-queries.js';
import { texts } from '../../texts/texts.js';
import { Age } from '../../ui/marks/moment.js';
import { Clock } from '../../ui/marks/clock.js';
import { SeverityShape } from '../../ui/marks/severity-shape.js';

const words = texts.queues;

/** Since when something is paused, until when, by whom and why. */
export function PauseLine({ pause: { kind, since, until, by, reason } }: { readonly pause: Pause }) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-soft">
      <SeverityShape severity="told" />
      <span className="font-medium text-ink">{words.paused[kind]}</span>
      <span>
        {words.since} <Clock at={since} />
        {by !== null && ` ${words.by(by)}`},{' '}
        {until === null ? (
          words.untilResumed
        ) : (
          <>
            {words.until} <Clock at={until} /> (<Age at={until} />)
          </>
        )}
      </span>
      {reason !== null && <q className="text-ink">{reason}</q>}
    </p>
  );
}
