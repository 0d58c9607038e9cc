import type { Handle } from '../systems/system.js';

/** What a worker has recorded about its jobs. */
export interface Noted {
  /** When each job started, by its id, in ms of the clock that all processes of this machine share. */
  readonly startedMs: Float64Array;
  /** When the first job started, as a date; null: none did. */
  readonly firstAtMs: number | null;
}

interface HandlerOptions {
  /** The largest number of ids, for `stamp`. */
  readonly size: number;
  /** Called when a job is done. */
  readonly finish: () => void;
}

export interface NotingHandler {
  readonly handle: Handle;
  read(): Noted;
}

const WAIT_MS = 5;

const NOTHING: Noted = { startedMs: new Float64Array(0), firstAtMs: null };

/** The kinds of work that jobs do. */
const JOBS = {
  /** Nothing at all. */
  nothing: ({ finish }) => ({ handle: () => void finish(), read: () => NOTHING }),
  /** Waits five milliseconds, as for a quick answer from another service. */
  wait: ({ finish }) => {
    const handle = (): Promise<void> =>
      new Promise((resolve) => {
        setTimeout(() => {
          finish();
          resolve();
        }, WAIT_MS);
      });
    return { handle, read: () => NOTHING };
  },
  /** Records when each job started. */
  stamp: ({ finish, size }) => {
    const startedMs = new Float64Array(size);
    const handle: Handle = ({ id }) => {
      startedMs[id] = Number(process.hrtime.bigint()) / 1e6;
      return void finish();
    };
    return { handle, read: () => ({ startedMs, firstAtMs: null }) };
  },
  /** Records when each job started, and waits five milliseconds. */
  stampAndWait: ({ finish, size }) => {
    const startedMs = new Float64Array(size);
    const handle: Handle = ({ id }) => {
      // of the others nothing is kept
      if (id < size) startedMs[id] = Number(process.hrtime.bigint()) / 1e6;
      return new Promise((resolve) => {
        setTimeout(() => {
          finish();
          resolve();
        }, WAIT_MS);
      });
    };
    return { handle, read: () => ({ startedMs, firstAtMs: null }) };
  },
  /** Records when the first job started. */
  first: ({ finish }) => {
    let firstAtMs: number | null = null;
    const handle: Handle = () => {
      firstAtMs ??= performance.timeOrigin + performance.now();
      return void finish();
    };
    return { handle, read: () => ({ ...NOTHING, firstAtMs }) };
  },
} satisfies Record<string, (options: HandlerOptions) => NotingHandler>;

export type JobName = keyof typeof JOBS;

/** The handler of one kind of jobs; it calls back when a job is done. */
export const makeHandler = ({ job, ...options }: HandlerOptions & { readonly job: JobName }): NotingHandler =>
  JOBS[job](options);
