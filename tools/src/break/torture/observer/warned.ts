/** What a process of the lab printed by process.emitWarning: its first line. */
export interface Warned {
  readonly by: string;
  readonly line: string;
}

export type OnWarning = (warned: Warned) => void;
