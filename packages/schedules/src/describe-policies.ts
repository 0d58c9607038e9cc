import type { MissedPolicy, OverlapPolicy } from './due-times/decide-due-times.js';
import { describeMs } from './rules/describe-rule.js';

/**
 * The policies in plain words: `Of missed due times the newest fires, however late. A due time is skipped while a run
 * is live.`
 */
export function describePolicies(missed: MissedPolicy, overlap: OverlapPolicy): string {
  return `${describeMissed(missed)} ${describeOverlap(overlap)}`;
}

function describeMissed({ policy, toleranceMs, limit, maxAgeMs }: MissedPolicy): string {
  switch (policy) {
    case 'latest':
      return 'Of missed due times the newest fires, however late.';
    case 'skip':
      return `A due time fires up to ${describeMs(toleranceMs)} late; missed ones are skipped.`;
    case 'all':
      return `Missed due times fire, the newest ${limit} of them, none older than ${describeMs(maxAgeMs)}.`;
  }
}

function describeOverlap({ policy, limit }: OverlapPolicy): string {
  switch (policy) {
    case 'allow':
      return 'Runs may overlap.';
    case 'skip':
      return 'A due time is skipped while a run is live.';
    case 'queue':
      return `A due time waits while a run is live; at most ${limit} wait.`;
    case 'cancel-running':
      return 'A due time stops the run that is live.';
  }
}
