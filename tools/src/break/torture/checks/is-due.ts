import type { Evidence } from '../observer/evidence.js';
import { ofKind } from '../observer/history-events.js';
import type { Check } from './check.js';

/**
 * Whether this run has to judge a promise, given its form, its faults and its length: false where nothing that the
 * promise needs was to happen. A promise that was due and had no case counts as not kept.
 */
export function isDue(check: Check, { options, events }: Evidence, missing: ReadonlySet<string>): boolean {
  const { needs } = check;
  if (needs === 'any run') return true;
  if (needs === 'a soak') return options.isSoak;
  if (needs === 'a measured load') return options.isLoadMeasured;
  const possible = needs.filter((fault) => options.faults.includes(fault) && !missing.has(fault));
  // a shorter run has not done all of them
  return options.isWhole
    ? possible.length > 0
    : ofKind(events, 'fault.begun').some(({ fault }) => possible.includes(fault));
}
