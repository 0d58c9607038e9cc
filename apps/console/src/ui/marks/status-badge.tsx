import type { Schemas } from '../../api/api-types.js';
import { texts } from '../../texts/texts.js';
import { classNames } from '../class-names.js';

/** `held`: due, and waiting at a gate; `waiting`: its handler waits. */
export type Status = Schemas['Job']['status'] | 'held' | 'waiting';

/** Text and wash of a status, the wash of a drawing, too. Whole names, because Tailwind finds them in the source. */
export const STATUS_LOOKS: Readonly<
  Record<Status, { readonly text: string; readonly wash: string; readonly fill: string }>
> = {
  queued: { text: 'text-queued', wash: 'bg-queued-wash', fill: 'fill-queued-wash' },
  held: { text: 'text-accent', wash: 'bg-accent-wash', fill: 'fill-accent-wash' },
  waiting: { text: 'text-accent', wash: 'bg-accent-wash', fill: 'fill-accent-wash' },
  running: { text: 'text-running', wash: 'bg-running-wash', fill: 'fill-running-wash' },
  succeeded: { text: 'text-succeeded', wash: 'bg-succeeded-wash', fill: 'fill-succeeded-wash' },
  failed: { text: 'text-failed', wash: 'bg-failed-wash', fill: 'fill-failed-wash' },
  dead: { text: 'text-dead', wash: 'bg-dead-wash', fill: 'fill-dead-wash' },
  cancelled: { text: 'text-cancelled', wash: 'bg-cancelled-wash', fill: 'fill-cancelled-wash' },
};

interface StatusBadgeProps {
  readonly status: Status;
  readonly isLarge?: boolean;
  /** Of what is no job: said instead. */
  readonly words?: string;
}

/** A status as a shape, a colour and a word: any one of them is enough. */
export function StatusBadge({ status, isLarge = false, words }: StatusBadgeProps) {
  return (
    <span
      title={words === undefined ? texts.statusWords[status] : undefined}
      className={classNames(
        'inline-flex items-center gap-1.5 rounded-full font-medium whitespace-nowrap',
        isLarge ? 'h-7 pr-3 pl-2 text-sm' : 'h-5 pr-2 pl-1.5 text-xs',
        STATUS_LOOKS[status].text,
        STATUS_LOOKS[status].wash,
      )}
    >
      <StatusShape status={status} />
      {words ?? texts.statuses[status]}
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
  waiting: <path d="M3.2 1.8h5.6M3.2 10.2h5.6M3.8 1.8c0 4.2 4.4 4.2 4.4 8.4M8.2 1.8c0 4.2-4.4 4.2-4.4 8.4" />,
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
