import type { ChosenTests } from './choose-tests.js';

/** What is about to run, and what is not. */
export function describeChosen({ changed, everywhere, affected, chosen }: ChosenTests, isAll: boolean): string {
  const files = `${changed} ${changed === 1 ? 'file has' : 'files have'} changed since main`;
  if (affected.length === 0) return `${files}, which no test depends on.\n`;
  const which =
    everywhere === undefined
      ? `${files}, on which ${affected.length} test files depend.`
      : `${files}. Every test depends on ${everywhere}: a few of each kind come first, and those of the other changes.`;
  if (isAll || chosen.length === affected.length) return `${which} All of them run.\n`;
  return `${which} ${chosen.length} of ${affected.length} run, the nearest, as two minutes are enough for; --changed=all runs the others, too.\n`;
}
