/** What the program ends with: 0 is done, and 1 that something was refused or failed. */

/** The arguments cannot be used: nothing was asked or done. */
export const USAGE = 2;

/** A check has found something: `doctor`, `contracts check`, `migrate status`, `roles --check`, `shards check` … */
export const FINDING = 3;
