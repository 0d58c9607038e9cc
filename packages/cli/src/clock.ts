/** The process clock, read in this file only, and for previews only. What is due comes from the database's clock. */
export function readClock(): Date {
  return new Date();
}
