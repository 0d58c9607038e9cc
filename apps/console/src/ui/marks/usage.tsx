import { texts } from '../../texts/texts.js';
import { formatCount } from '../../time/format-count.js';
import { Bar } from './bar.js';
import { classNames } from '../class-names.js';

const MAX_TICKS = 24;

/** How much of a limit is taken: a tick each where they are few, else a bar, and the figures. What is above it stands out. */
export function Usage({ used, max }: { readonly used: number; readonly max: number }) {
  const all = Math.max(used, max);
  return (
    <span className="inline-flex items-center gap-2">
      {all <= MAX_TICKS ? (
        <span className="inline-flex gap-0.5" aria-hidden="true">
          {Array.from({ length: all }, (_, index) => (
            <span
              key={index}
              className={classNames(
                'h-3 w-1.5 rounded-sm',
                index >= used ? 'bg-line-strong/60' : index >= max ? 'bg-failed' : 'bg-running',
              )}
            />
          ))}
        </span>
      ) : (
        <Bar value={Math.min(used, max)} max={max} aria-hidden="true" className="w-24" />
      )}
      <span className={classNames('text-xs whitespace-nowrap', used > max ? 'font-medium text-failed' : 'text-soft')}>
        {texts.flow.ofMax(formatCount(used), formatCount(max))}
      </span>
    </span>
  );
}
