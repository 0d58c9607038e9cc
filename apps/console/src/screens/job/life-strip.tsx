import { texts } from '../../texts/texts.js';
import { formatShortDuration } from '../../time/format-duration.js';
import { classNames } from '../../ui/class-names.js';
import type { Outcome, Stretch } from './make-life.js';

const words = texts.job.lifeWords;
const ATTEMPT_LOOKS: Readonly<Record<Outcome, string>> = {
  failed: 'bg-failed-wash text-failed border-failed',
  lost: 'bg-dead-wash text-dead border-dead',
  interrupted: 'bg-cancelled-wash text-cancelled border-cancelled',
  cancelled: 'bg-cancelled-wash text-cancelled border-cancelled',
  running: 'bg-running-wash text-running border-running',
  succeeded: 'bg-succeeded-wash text-succeeded border-succeeded',
};

/** A job's life as a strip: work is solid, waiting is hatched. Screen readers get the list below instead. */
export function LifeStrip({ life, isDead }: { readonly life: readonly Stretch[]; readonly isDead: boolean }) {
  return (
    <div
      aria-hidden="true"
      className="flex h-11 items-stretch gap-px overflow-hidden rounded-md border border-line bg-sunken"
    >
      {life.map((stretch, index) => (
        <div
          key={stretch.from + stretch.kind}
          title={`${describe(stretch)}: ${formatShortDuration(stretch.to - stretch.from)}`}
          // roots, because a job may wait for a day and work for a second
          style={{ flexGrow: Math.max(1, (stretch.to - stretch.from) ** 0.45), flexBasis: 0 }}
          className={classNames(
            '@container flex min-w-3.5 flex-col justify-center overflow-hidden px-1.5 text-2xs leading-4 whitespace-nowrap',
            stretch.kind === 'attempt'
              ? classNames(
                  'min-w-6 border-t-3',
                  // the last attempt is what it died of
                  isDead && index === life.length - 1 ? ATTEMPT_LOOKS.lost : ATTEMPT_LOOKS[stretch.outcome],
                )
              : classNames('hatched text-faint', stretch.kind === 'later' && 'border-l border-dashed border-ink'),
          )}
        >
          {/* where there is no room for words, the number of the attempt and the colour say enough */}
          <span className="font-medium">
            {stretch.kind === 'attempt' && `${stretch.attempt} `}
            <span className="@max-[3rem]:hidden">
              {words.short[stretch.kind === 'attempt' ? stretch.outcome : stretch.kind]}
            </span>
          </span>
          <span className="@max-[3rem]:hidden">{formatShortDuration(stretch.to - stretch.from)}</span>
        </div>
      ))}
    </div>
  );
}

function describe(stretch: Stretch): string {
  if (stretch.kind === 'attempt') return `${words.attempt(stretch.attempt)}, ${words.outcomes[stretch.outcome]}`;
  return words.waits[stretch.kind];
}
