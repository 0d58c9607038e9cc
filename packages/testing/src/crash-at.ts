import type { ClaimedRun, Clock, CrashHook, CrashPoint, Store } from '@duework/queue-core';

export interface Crash<TClock extends Clock> {
  /** Options for `createWorker`, for the worker that will die. */
  readonly options: { readonly store: Store; readonly clock: TClock; readonly crashHook: CrashHook };
  /** Resolves when the worker has died, with the run that it was working on. */
  readonly reached: Promise<ClaimedRun>;
  /** Lets the worker go on after a test, with everything it had asked lost, so that it can be stopped. */
  readonly wake: () => void;
}

/** What a store answers to a worker that has lost every lease. */
const LOST: {
  readonly [
    V in keyof Omit<Store, 'capabilities' | 'shard' | 'watch' | 'settleGapMs' | 'writeFigures' | 'sampleDepth'>
  ]-?: Awaited<ReturnType<Store[V]>>;
} = {
  claim: { runs: [], dueInMs: null },
  settle: [],
  extendLeases: [],
  beginEffect: { kind: 'lost' },
  findEffect: null,
  endEffect: false,
  readSteps: { done: [], waits: [] },
  writeSteps: [],
  writeStepIn: 'lost',
  beginWaits: [],
  endWait: null,
  insertChildren: [],
  saveProgress: false,
  keepObject: false,
  completeIn: false,
  isCompleted: false,
  takeChores: { taken: [], nowMs: 0, lost: null },
  rescue: [],
  expire: { expired: [], isAll: true },
  addUpBatches: [],
  forgetWorkers: [],
  prepare: [],
  announceContracts: undefined,
  withdrawContracts: undefined,
  prune: { made: 0, dropped: 0 },
  raiseWaiting: 0,
  findForgottenKeys: undefined,
  giveGates: null,
  lookForAlerts: [],
  alertTold: undefined,
};

/**
 * Makes a worker of this process die when it comes to `point` for the `nth` time (default: the first): its calls no
 * longer get to the store, no answer comes back to it, and its timers never fire, so its leases run out as those of a
 * killed process do. Its other handlers run on, but what they write is lost.
 */
export function crashAt<TClock extends Clock>(
  point: CrashPoint,
  { store, clock, nth = 1 }: { store: Store; clock: TClock; nth?: number },
): Crash<TClock> {
  let state: 'alive' | 'dead' | 'lost' = 'alive';
  let count = 0;
  let tell: (run: ClaimedRun) => void;
  const reached = new Promise<ClaimedRun>((resolve) => (tell = resolve));
  let end: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  /** Holds a dead worker at its next step, until `wake` is called. */
  const live = async (): Promise<void> => (state === 'dead' ? ended : undefined);

  return {
    reached,
    wake() {
      state = 'lost';
      end();
    },
    options: {
      crashHook(name, run) {
        if (state !== 'alive' || name !== point || ++count < nth) return live();
        state = 'dead';
        tell(run);
        return live();
      },
      clock: {
        ...clock,
        after: (ms: number, callback: () => void) =>
          clock.after(ms, () => (state === 'dead' ? void ended.then(callback) : callback())),
      },
      store: new Proxy(store, {
        get(target, verb: keyof Store) {
          if (verb === 'watch') return target.watch?.bind(target);
          // figures are no part of what a crash may break
          if (verb === 'writeFigures' || verb === 'sampleDepth') return undefined;
          if (verb === 'settleGapMs' || verb === 'capabilities' || verb === 'shard') return target[verb];
          const act = target[verb] as (...given: unknown[]) => Promise<unknown>;
          return async (...given: unknown[]) => {
            await live();
            const answer = state === 'lost' ? LOST[verb] : await act.apply(target, given);
            await live();
            return state === 'lost' ? LOST[verb] : answer;
          };
        },
      }),
    },
  };
}
