/** One choice of a person, which this browser remembers and other tabs follow. */
export interface Stored<T extends string> {
  get(): T;
  set(value: T): void;
  subscribe(tell: () => void): () => void;
}

export function createStored<T extends string>(name: string, values: readonly T[], first: T): Stored<T> {
  const listeners = new Set<() => void>();
  const known = (value: string | null): T => values.find((one) => one === value) ?? first;
  let current = known(read(name));
  const tellAll = (): void => {
    for (const tell of listeners) tell();
  };
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== name) return;
    current = known(newValue);
    tellAll();
  });
  return {
    get: () => current,
    set(value) {
      current = value;
      try {
        localStorage.setItem(name, value);
      } catch {
        // storage is closed to this page: the choice lasts until the next load
      }
      tellAll();
    },
    subscribe(tell) {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
  };
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}
