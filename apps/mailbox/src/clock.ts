/** The process clock, read in this file only; everything else is given a `now`. */
export function readClock(): Date {
  return new Date();
}
