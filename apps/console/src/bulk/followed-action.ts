import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let followed: string | null = null;

/** Shows the progress of an action above the tables, on whatever screen, until somebody closes it (null). */
export function followAction(id: string | null): void {
  followed = id;
  for (const tell of listeners) tell();
}

export function useFollowedAction(): string | null {
  return useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    () => followed,
  );
}
