import type { Pause } from '@duework/queue-core';
import { cleanText } from '../output/clean-text.js';
import { formatMoment } from '../output/format-moment.js';

/** `The queue mail is paused since … until … by …: reason` */
export function describePause({ kind, name, since, until, by, reason }: Pause): string {
  const end = until === null ? '' : ` until ${formatMoment(until)}`;
  const who = by === null ? '' : ` by ${by}`;
  return cleanText(
    `The ${kind} ${name} is paused since ${formatMoment(since)}${end}${who}${reason === null ? '.' : `: ${reason}`}`,
  );
}
