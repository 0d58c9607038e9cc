import { texts } from '../../texts/texts.js';
import { classNames } from '../../ui/class-names.js';
import type { FlowState } from './judge-rule.js';

const LOOKS: Readonly<Record<FlowState, string>> = {
  open: 'text-succeeded bg-succeeded-wash',
  shut: 'text-failed bg-failed-wash',
  tripped: 'text-dead bg-dead-wash',
  trying: 'text-running bg-running-wash',
  blocked: 'text-dead bg-dead-wash',
  paused: 'text-failed bg-failed-wash',
};

const SHAPES: Readonly<Record<FlowState, string>> = {
  open: 'M2 6h7M6.5 3.2 9.3 6 6.5 8.8',
  shut: 'M3 6.2h6v3.6H3zM4.2 6V4.4a1.8 1.8 0 0 1 3.6 0V6',
  tripped: 'M1.5 8.5h2.2l4-4.8M8.3 8.5h2.2',
  trying: 'M2 6h2M5.5 6h1M8.2 6h1.3M7.8 4.2 9.6 6 7.8 7.8',
  blocked: 'M2 6h3.5M8 3v6',
  paused: 'M4.2 3v6M7.8 3v6',
};

/** The state of a rule or a key as a shape, a colour and a word: any one of them is enough. */
export function FlowStateBadge({ state, isLarge = false }: { readonly state: FlowState; readonly isLarge?: boolean }) {
  return (
    <span
      title={texts.flow.stateWords[state]}
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
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        className="shrink-0"
      >
        <path d={SHAPES[state]} />
      </svg>
      {texts.flow.states[state]}
    </span>
  );
}
