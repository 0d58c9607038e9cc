import type { JobContract } from '@duework/contracts';
import type { Retention } from '../ports/upkeep.js';

/** For how long a program keeps the runs of a type, in days: once they have ended, and dead; null: as it keeps others. */
export type OwnDays = readonly [ended: number | null, dead: number | null];

export const ownDays = ({ keepDays, keepDeadDays }: JobContract): OwnDays => [keepDays, keepDeadDays];

/**
 * How long the runs of a type are kept. While a deploy is under way programs may say different things of it: the longest
 * time counts, so that nothing is deleted that one of them still keeps. The function `own_retention` of the database says the same.
 */
export function retentionOf(
  { keepDays, keepDeadDays }: Pick<Retention, 'keepDays' | 'keepDeadDays'>,
  said: readonly OwnDays[],
): Pick<Retention, 'keepDays' | 'keepDeadDays'> {
  if (said.length === 0) return { keepDays, keepDeadDays };
  return {
    keepDays: Math.max(...said.map(([ended]) => ended ?? keepDays)),
    keepDeadDays: Math.max(...said.map(([, dead]) => dead ?? keepDeadDays)),
  };
}
