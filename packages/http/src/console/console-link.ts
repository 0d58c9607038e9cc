/** What a link of each place may name. */
export const LINK_NAMES = {
  job: ['id', 'type', 'queue', 'traceId', 'workerId'],
  attempt: ['id', 'type', 'queue', 'traceId', 'workerId'],
  worker: ['workerId'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A link of your own on the console: to the logs of a job, to its trace. */
export interface ConsoleLink {
  /** Its label: `Logs`. */
  readonly words: string;
  /**
   * An address of `https:` or `http:`, such as `https://logs.example.com/?job={id}`. `{id}`, `{type}`, `{queue}`,
   * `{traceId}` and `{workerId}` after its host are the job's; a link with a value that a job lacks is not shown.
   */
  readonly href: string;
  /** At a job, at each of its attempts that failed, or at a worker, which has a `{workerId}` alone. */
  readonly where: 'job' | 'attempt' | 'worker';
}

export interface ConsoleOptions {
  /** At most 20. */
  readonly links?: readonly ConsoleLink[];
}
