import { texts } from '../texts/texts.js';
import { StateBox } from '../ui/problem-state.js';
import { usePageTitle } from '../ui/use-page-title.js';

const words = texts.states;

/** In the place of a screen that the queue at this address has not: why. */
export function Refused({ why }: { readonly why: string }) {
  usePageTitle(words.notSupported);
  return (
    <StateBox title={words.notSupported}>
      <p>{why}</p>
      <p className="mt-2 text-xs text-faint">{words.notSupportedMore}</p>
    </StateBox>
  );
}
