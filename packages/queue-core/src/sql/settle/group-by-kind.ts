import type { NewRun } from '../../ports/producer.js';

/** Runs that are equal in all but payload, key and time share a kind; `kindOf` counts from 1. */
export function groupByKind(runs: readonly NewRun[]): { kinds: readonly NewRun[]; kindOf: readonly number[] } {
  const kinds: NewRun[] = [];
  const kindOf = runs.map((run) => {
    const last = kinds.at(-1);
    if (last !== undefined && isSameKind(run, last)) return kinds.length;
    const index = kinds.findIndex((kind) => isSameKind(run, kind));
    return index === -1 ? kinds.push(run) : index + 1;
  });
  return { kinds, kindOf };
}

function isSameKind(a: NewRun, b: NewRun): boolean {
  return (
    a.type === b.type &&
    a.priority === b.priority &&
    a.maxAttempts === b.maxAttempts &&
    a.queue === b.queue &&
    a.version === b.version &&
    a.keyWindowMs === b.keyWindowMs
  );
}
