import type { Schemas } from '../../api/api-types.js';
import { classNames } from '../class-names.js';

const MAX_TICKS = 12;

/** Attempts that were charged of those that there are: a tick each, and the figures. */
export function AttemptTicks({ job }: { readonly job: Pick<Schemas['Job'], 'attempts' | 'maxAttempts' | 'status'> }) {
  const { attempts, maxAttempts, status } = job;
  const last = status === 'succeeded' ? 'bg-succeeded' : status === 'running' ? 'bg-running' : 'bg-failed';
  const spent = status === 'dead' ? 'bg-dead' : 'bg-failed';
  return (
    <span className="inline-flex items-center gap-2">
      <span className="w-9 text-right text-xs text-soft">
        {attempts}/{maxAttempts}
      </span>
      {attempts > 0 && maxAttempts <= MAX_TICKS && (
        <span className="inline-flex gap-0.5" aria-hidden="true">
          {Array.from({ length: maxAttempts }, (_, index) => (
            <span
              key={index}
              className={classNames(
                'h-2.5 w-1 rounded-full',
                index >= attempts ? 'bg-line-strong/60' : index === attempts - 1 && status !== 'dead' ? last : spent,
              )}
            />
          ))}
        </span>
      )}
    </span>
  );
}
