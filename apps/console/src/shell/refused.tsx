import { texts } from '../texts/texts.js';
import { StateBox } from '../ui/problem-state.js';
import { usePageTitle } from '../ui/use-page-title.js';

const words = texts.states;

interface RefusedProps {
  readonly why: string;
  /** The queue has it, and whoever is signed in may not see it. */
  readonly isForOthers: boolean;
}

/** In the place of a screen that the queue at this address has not, or has for others: why. */
export function Refused({ why, isForOthers }: RefusedProps) {
  const title = isForOthers ? words.notForYou : words.notSupported;
  usePageTitle(title);
  return (
    <StateBox title={title}>
      <p>{why}</p>
      <p className="mt-2 text-xs text-faint">{isForOthers ? words.notForYouMore : words.notSupportedMore}</p>
    </StateBox>
  );
}
