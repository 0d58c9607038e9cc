/** What a check has found: a table for people, and a line for each thing that keeps the code from being deployed. */
export interface Finding {
  readonly table: string;
  readonly problems: readonly string[];
}
