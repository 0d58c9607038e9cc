/** What a link of each place may name. */
export const LINK_NAMES = {
  job: ['id', 'type', 'queue', 'traceId', 'workerId'],
  attempt: ['id', 'type', 'queue', 'traceId', 'workerId'],
  worker: ['workerId'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A link of your own on the console: to the logs of a job, to its trace. */
export interface ConsoleLink {
  /** What stands on it: `Logs`. */
  readonly words: string;
  /**
   * An address of `https:` or `http:`, such as `https://logs.example.com/?job={id}`. `{id}`, `{type}`, `{queue}`, `{traceId}` and
   * `{workerId}` behind its host are those of the job; a link that names what a job does not have is not shown at it.
   */
  readonly href: string;
  /** At a job, at each of its attempts that failed, or at a worker, which has a `{workerId}` alone. */
  readonly where: 'job' | 'attempt' | 'worker';
}

export interface ConsoleOptions {
  /** At most 20. */
  readonly links?: readonly ConsoleLink[];
}
