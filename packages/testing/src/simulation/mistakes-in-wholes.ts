import type { NewRun } from '@duework/queue-core/ports';
import type { SimulateOptions } from './simulate.js';

type Plant = NonNullable<SimulateOptions['plant']>;

/** Mistakes to plant where work belongs together: in steps, waits, signals, children and batches. */
export const MISTAKES_IN_WHOLES: Readonly<Record<string, Plant>> = {
  /** A step that is acknowledged and not written. */
  'step-not-written': (store) => ({ ...store, writeSteps: async (batch) => batch.map(() => 'written' as const) }),
  /** A sleep of half the time. */
  'sleep-cut-short': (store) => ({
    ...store,
    beginWaits: (batch) =>
      store.beginWaits(
        batch.map((wait) => ({
          ...wait,
          afterMs: wait.awaits === null && wait.afterMs !== null ? Math.floor(wait.afterMs / 2) : wait.afterMs,
        })),
      ),
  }),
  /** A signal that is there already ends a wait, and stays for the next one. */
  'signal-not-taken': (store, tables) => ({
    ...store,
    beginWaits: (batch) => {
      const kept = new Map(tables.signals);
      const answers = store.beginWaits(batch);
      for (const [awaited, signals] of kept) tables.signals.set(awaited, signals);
      return answers;
    },
  }),
  /** A run goes to wait, although what it waits for has come while it still ran. */
  'woken-not-seen': (store, tables) => ({
    ...store,
    settle: (batch) => {
      for (const { id, fence } of batch) Object.assign(tables.owned(id, fence) ?? {}, { wokenFence: null });
      return store.settle(batch);
    },
  }),
  /** The end of a job makes nobody due that waits for it. */
  'parent-not-woken': (store, tables) => ({
    ...store,
    settle: (batch) => {
      const waiting = [...tables.live.values()].filter(({ status, worker }) => status === 'queued' && worker === null);
      const before = waiting.map((run) => ({ run, runAtMs: run.runAtMs }));
      const settled = store.settle(batch);
      for (const { run, runAtMs } of before)
        if (run.status === 'queued' && run.runAtMs < runAtMs) tables.wait(run, 'queued', runAtMs, run.heldBy);
      return settled;
    },
  }),
  /** A child that each attempt enqueues anew. */
  'child-without-key': (store) => ({
    ...store,
    insertChildren: (runs) => store.insertChildren(runs.map((run) => ({ ...run, key: null }))),
  }),
  /** What a batch tells is enqueued twice. */
  'batch-told-twice': (store, tables) => {
    const { batches } = tables;
    const addUp = batches.addUp.bind(batches);
    batches.addUp = (insert, nowMs) => addUp((run: NewRun) => (insert(run), insert(run)), nowMs);
    return store;
  },
  /** Nobody looks what a batch has to tell. */
  'batch-not-told': (store, tables) => {
    tables.batches.addUp = () => {};
    return store;
  },
  /** A dead job that is retried still counts as dead. */
  'batch-misses-retry': (store, tables) => {
    tables.batches.returned = () => {};
    return store;
  },
};
