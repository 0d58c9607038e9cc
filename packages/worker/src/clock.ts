/**
 * The process clock, read in this file only: for the age of files, the time stamp in a signature and the times in
 * messages for people. What is due, and every moment that is stored, comes from the database's clock.
 */
export function readClock(): Date {
  return new Date();
}
