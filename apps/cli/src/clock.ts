/** The process clock, and the one place that reads it: for previews only. What is due comes from the database's clock. */
export function readClock(): Date {
  return new Date();
}
