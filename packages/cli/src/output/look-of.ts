import type { WriteStream } from 'node:tty';
import { type Look, PLAIN } from './look.js';

/** How answers look there: plain unless it is a terminal; coloured unless NO_COLOR, or a terminal without, says no. */
export function lookOf(output: Pick<WriteStream, 'isTTY' | 'columns' | 'hasColors'>): Look {
  if (!output.isTTY) return PLAIN;
  return { isColoured: output.hasColors(), columns: output.columns };
}
