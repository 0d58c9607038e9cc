import { texts } from '../../texts/texts.js';
import { Bar } from './bar.js';
import { classNames } from '../class-names.js';

const MAX_TICKS = 24;

/** How many slots of a worker are taken: a tick each where they are few, else a bar, and the figures. */
export function Slots({ taken, slots }: { readonly taken: number; readonly slots: number | null }) {
  const all = slots ?? 0;
  return (
    <span className="inline-flex items-center gap-2" title={texts.workers.slots(taken, slots)}>
      {all > 0 && all <= MAX_TICKS ? (
        <span className="inline-flex gap-0.5" aria-hidden="true">
          {Array.from({ length: all }, (_, index) => (
            <span
              key={index}
              className={classNames('h-2.5 w-1 rounded-full', index < taken ? 'bg-running' : 'bg-line-strong/60')}
            />
          ))}
        </span>
      ) : (
        all > 0 && <Bar value={Math.min(taken, all)} max={all} aria-hidden="true" className="w-20" />
      )}
      <span className="text-xs text-soft">
        {slots === null ? taken : texts.workers.ofSlots(Math.min(taken, slots), slots)}
      </span>
    </span>
  );
}
