import type { Schemas } from '../../api/api-types.js';
import { texts } from '../../texts/texts.js';
import { classNames } from '../class-names.js';

/** `held`: due, and waiting at a gate. */
export type Status = Schemas['Job']['status'] | 'held';

/** Text and wash of a status. Whole names, because Tailwind finds them in the source. */
const LOOKS: Readonly<Record<Status, string>> = {
  queued: 'text-queued bg-queued-wash',
  held: 'text-accent bg-accent-wash',
  running: 'text-running bg-running-wash',
  succeeded: 'text-succeeded bg-succeeded-wash',
  failed: 'text-failed bg-failed-wash',
  dead: 'text-dead bg-dead-wash',
  cancelled: 'text-cancelled bg-cancelled-wash',
};

/** A status as a shape, a colour and a word: any one of them is enough. */
export function StatusBadge({ status, isLarge = false }: { readonly status: Status; readonly isLarge?: boolean }) {
  return (
    <span
      title={texts.statusWords[status]}
      className={classNames(
        'inline-flex items-center gap-1.5 rounded-full font-medium whitespace-nowrap',
        isLarge ? 'h-7 pr-3 pl-2 text-sm' : 'h-5 pr-2 pl-1.5 text-xs',
        LOOKS[status],
      )}
    >
      <StatusShape status={status} />
      {texts.statuses[status]}
    </span>
  );
}

export function StatusShape({ status, className }: { readonly status: Status; readonly className?: string }) {
  return (
    <svg
      viewBox="0 0 12 12"
      width="12"
      height="12"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={classNames('shrink-0', status === 'running' && 'animate-turn', className)}
    >
      {SHAPES[status]}
    </svg>
  );
}

const SHAPES = {
  queued: <circle cx="6" cy="6" r="3.6" />,
  held: <path d="M1.6 6h3M6.8 2.4v7.2M9.6 2.4v7.2" />,
  running: (
    <>
      <circle cx="6" cy="6" r="4" opacity="0.3" />
      <path d="M6 2a4 4 0 0 1 4 4" />
    </>
  ),
  succeeded: <path d="m2.4 6.4 2.4 2.4 4.8-5.2" />,
  failed: <path d="M9.8 6A3.8 3.8 0 1 1 8.4 3M8.6 1v2.2H6.4" />,
  dead: <path d="m3 3 6 6M9 3 3 9" strokeWidth="2" />,
  cancelled: (
    <>
      <circle cx="6" cy="6" r="4" />
      <path d="m3.4 8.6 5.2-5.2" />
    </>
  ),
} as const;
