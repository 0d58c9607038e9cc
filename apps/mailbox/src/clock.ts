/** The one place that reads the process clock; everything else is given a `now`. */
export function readClock(): Date {
  return new Date();
}
