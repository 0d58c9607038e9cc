/** Whether the mail server refuses every mail for a while, as one that is being repaired would. */
export interface Refusal {
  /** When it takes mails again; null: it takes them now. */
  readonly until: () => Date | null;
  /** From now on, for so many seconds; returns when that ends. */
  readonly begin: (seconds: number) => Date;
  readonly end: () => void;
}

/** Makes one that takes mails. It is kept in memory: a mail server that starts again takes mails. */
export function createRefusal(now: () => Date): Refusal {
  let end: Date | null = null;
  return {
    until: () => (end !== null && end > now() ? end : null),
    begin: (seconds) => (end = new Date(now().getTime() + seconds * 1_000)),
    end: () => void (end = null),
  };
}
