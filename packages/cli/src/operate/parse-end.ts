import { type Duration, parseDuration } from '@duework/contracts';
import { parseMoment } from '../schedules/parse-moment.js';

/**
 * When something ends that people give a duration or a moment for; undefined: neither. Throws `ContractError` and
 * `MomentError`.
 */
export function parseEnd(duration: string | undefined, moment: string | undefined, now: Date): Date | undefined {
  if (duration !== undefined) return new Date(now.getTime() + parseDuration(duration as Duration));
  return moment === undefined ? undefined : parseMoment(moment, now.getTime(), 'UTC');
}
