import type { RowsAround, SystemName } from './systems/system.js';

/** How many jobs a system gets, or all others. */
export type JobCounts = { readonly all: number } & { readonly [name in SystemName]?: number };

/** The size of each measurement; times in ms. */
export interface Size {
  readonly serialMs: number;
  readonly callersMs: number;
  readonly transactionMs: number;
  readonly httpMs: number;
  readonly bulkJobs: number;
  readonly drainJobs: number;
  readonly wholeJobs: { readonly some: number; readonly many: number };
  /**
   * The clock runs from the warm-up on until few are left, so that every worker has work. A fast system has more jobs,
   * so that it runs for as long.
   */
  readonly steady: { readonly jobs: JobCounts; readonly warmUp: number; readonly left: number };
  readonly waitJobs: number;
  readonly pickup: { readonly warmUpMs: number; readonly measuredMs: number };
  readonly idle: { readonly settleMs: number; readonly measuredMs: number };
  readonly spike: { readonly jobs: number; readonly leadMs: number };
  readonly around: RowsAround;
  readonly aroundRedis: RowsAround;
  readonly pin: {
    readonly warmUpMs: number;
    readonly beforeMs: number;
    readonly pinnedMs: number;
    readonly lastMs: number;
    /** The number of jobs that wait. */
    readonly ahead: number;
  };
  readonly memoryJobs: number;
  /** Days for each of which there is a partition, and calls of each verb beside them. */
  readonly year: { readonly days: number; readonly calls: number };
  /** Of flow control; `pacedMs`: how long the rate is watched. */
  readonly flow: {
    readonly jobs: number;
    readonly keys: number;
    readonly ordered: number;
    readonly pacedMs: number;
    readonly large: number;
    readonly small: { readonly perSecond: number; readonly ms: number };
  };
  /** Of durable workflows. */
  readonly steps: { readonly workflows: number; readonly children: number };
}

export const fullSize: Size = {
  serialMs: 5_000,
  callersMs: 5_000,
  transactionMs: 3_000,
  httpMs: 4_000,
  bulkJobs: 100_000,
  drainJobs: 100_000,
  wholeJobs: { some: 300_000, many: 1_000_000 },
  steady: { jobs: { all: 400_000, duework: 1_000_000, 'duework-pg': 1_000_000 }, warmUp: 100_000, left: 50_000 },
  waitJobs: 20_000,
  pickup: { warmUpMs: 2_000, measuredMs: 10_000 },
  // for half a minute V8 goes on compiling and collecting garbage, even in an idle process
  idle: { settleMs: 30_000, measuredMs: 60_000 },
  spike: { jobs: 100_000, leadMs: 12_000 },
  around: { finished: 1_000_000, future: 1_000_000 },
  aroundRedis: { finished: 100_000, future: 100_000 },
  // a queue on a fresh server gets a quarter slower in its first half minute, with or without a snapshot
  pin: { warmUpMs: 45_000, beforeMs: 10_000, pinnedMs: 60_000, lastMs: 10_000, ahead: 5_000 },
  memoryJobs: 1_000_000,
  year: { days: 365, calls: 200 },
  flow: {
    jobs: 50_000,
    keys: 10_000,
    ordered: 500,
    pacedMs: 60_000,
    large: 200_000,
    small: { perSecond: 100, ms: 5_000 },
  },
  steps: { workflows: 1_000, children: 1_000 },
};

/** Sizes that show that everything works, not how fast it is. */
export const quickSize: Size = {
  serialMs: 200,
  callersMs: 200,
  transactionMs: 150,
  httpMs: 200,
  bulkJobs: 2_000,
  drainJobs: 2_000,
  wholeJobs: { some: 3_000, many: 6_000 },
  steady: { jobs: { all: 8_000 }, warmUp: 1_000, left: 1_000 },
  waitJobs: 500,
  pickup: { warmUpMs: 100, measuredMs: 400 },
  idle: { settleMs: 100, measuredMs: 500 },
  spike: { jobs: 500, leadMs: 1_000 },
  around: { finished: 5_000, future: 5_000 },
  aroundRedis: { finished: 500, future: 500 },
  pin: { warmUpMs: 200, beforeMs: 300, pinnedMs: 600, lastMs: 300, ahead: 5_000 },
  memoryJobs: 20_000,
  year: { days: 30, calls: 40 },
  flow: { jobs: 1_000, keys: 100, ordered: 50, pacedMs: 1_000, large: 2_000, small: { perSecond: 50, ms: 400 } },
  steps: { workflows: 50, children: 50 },
};
