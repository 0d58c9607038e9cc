import type { Schedule } from '../../api/use-schedules.js';
import { texts } from '../../texts/texts.js';
import { classNames } from '../../ui/class-names.js';
import { LATE_MS } from './make-due-times.js';

type State = keyof typeof texts.schedules.states;

/** How a schedule is: `late` has a due time that is due and that nobody has decided. */
export function stateOf({ isPaused, nextFiresAt }: Pick<Schedule, 'isPaused' | 'nextFiresAt'>, now: number): State {
  if (isPaused) return 'paused';
  if (nextFiresAt === null) return 'over';
  return Date.parse(nextFiresAt) < now - LATE_MS ? 'late' : 'on';
}

const LOOKS: Readonly<Record<State, string>> = {
  on: 'text-succeeded bg-succeeded-wash',
  paused: 'text-failed bg-failed-wash',
  late: 'text-dead bg-dead-wash',
  over: 'text-cancelled bg-cancelled-wash',
};

const SHAPES: Readonly<Record<State, string>> = {
  on: 'M6 2.2a3.8 3.8 0 1 1 0 7.6a3.8 3.8 0 1 1 0-7.6M6 4v2.2l1.4.9',
  paused: 'M4.2 3v6M7.8 3v6',
  late: 'M6 2v5M6 9.6v.1',
  over: 'M3 6h6',
};

/** The state of a schedule as a shape, a colour and a word: any one of them is enough. */
export function ScheduleState({ state, isLarge = false }: { readonly state: State; readonly isLarge?: boolean }) {
  return (
    <span
      title={texts.schedules.stateWords[state]}
      className={classNames(
        'inline-flex items-center gap-1.5 rounded-full font-medium whitespace-nowrap',
        isLarge ? 'h-7 pr-3 pl-2 text-sm' : 'h-5 pr-2 pl-1.5 text-xs',
        LOOKS[state],
      )}
    >
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
        className="shrink-0"
      >
        <path d={SHAPES[state]} />
      </svg>
      {texts.schedules.states[state]}
    </span>
  );
}
