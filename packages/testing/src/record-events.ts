import type { EmitEvent, WorkerEvent } from '@duework/queue-core';

type NamedEvent<N extends WorkerEvent['name']> = Extract<WorkerEvent, { name: N }>;

export interface EventRecord {
  readonly emit: EmitEvent;
  readonly all: readonly WorkerEvent[];
  named<N extends WorkerEvent['name']>(name: N): NamedEvent<N>[];
  /** Resolves with the first `count` events of that name, past or future. */
  waitFor<N extends WorkerEvent['name']>(name: N, count?: number): Promise<NamedEvent<N>[]>;
  /** Resolves at the next event of any name. */
  next(): Promise<void>;
}

/** An `emit` that remembers everything. */
export function recordEvents(): EventRecord {
  const all: WorkerEvent[] = [];
  let resolveNext = (): void => {};
  let next: Promise<void> | null = null;
  const watchers = new Set<() => void>();
  const named = <N extends WorkerEvent['name']>(name: N): NamedEvent<N>[] =>
    all.filter((event): event is NamedEvent<N> => event.name === name);
  return {
    all,
    named,
    emit: (event) => {
      all.push(event);
      for (const look of [...watchers]) look();
      resolveNext();
      next = null;
    },
    next: () => (next ??= new Promise((resolve) => (resolveNext = resolve))),
    waitFor: (name, count = 1) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = named(name);
          if (found.length < count) return;
          watchers.delete(look);
          resolve(found.slice(0, count));
        };
        watchers.add(look);
        look();
      }),
  };
}
