import { useSyncExternalStore } from 'react';

/** A filter and its columns under a name, in this browser. */
export interface View {
  readonly name: string;
  readonly filter: string;
  readonly columns: string | undefined;
}

const NAME = 'duework.views';
const listeners = new Set<() => void>();
let views = read();

function read(): readonly View[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(NAME) ?? '[]');
    return Array.isArray(stored)
      ? (stored as View[]).filter(({ name, filter }) => Boolean(name) && typeof filter === 'string')
      : [];
  } catch {
    return [];
  }
}

function change(next: readonly View[]): void {
  views = next;
  try {
    localStorage.setItem(NAME, JSON.stringify(next));
  } catch {
    // storage is closed to this page: the views last until the next load
  }
  for (const tell of listeners) tell();
}

/** A view of the same name is replaced. */
export const saveView = (view: View): void =>
  change([...views.filter(({ name }) => name !== view.name), view].toSorted((a, b) => a.name.localeCompare(b.name)));
export const removeView = (name: string): void => change(views.filter((view) => view.name !== name));

export function useViews(): readonly View[] {
  return useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    () => views,
  );
}
