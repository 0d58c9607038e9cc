import { useEffect, useRef, useSyncExternalStore } from 'react';

/** A key, or two after each other, and what it does. Nothing that cannot be taken back is on a single key. */
export interface Shortcut {
  /** As `KeyboardEvent.key` names it: `j`, `?`, `Enter`; `g j`: first g, then j. */
  readonly keys: string;
  readonly words: string;
  /** Where the list of keys shows it. */
  readonly group: 'everywhere' | 'here';
  readonly run: (event: KeyboardEvent) => void;
}

const SEQUENCE_MS = 1_000;
const listeners = new Set<() => void>();
let shortcuts: readonly Shortcut[] = [];
let first: { readonly key: string; readonly at: number } | null = null;

function change(next: readonly Shortcut[]): void {
  shortcuts = next;
  for (const tell of listeners) tell();
}

/** Whether the keys belong to what has the focus, or to a window over the page. */
function isElsewhere({ target }: KeyboardEvent): boolean {
  if (document.querySelector('[data-window]') !== null) return true;
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isElsewhere(event)) return;
  const before = first !== null && event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ` : '';
  first = null;
  const found = shortcuts.findLast(({ keys }) => keys === before + event.key);
  if (found !== undefined) {
    event.preventDefault();
    found.run(event);
  } else if (shortcuts.some(({ keys }) => keys.startsWith(`${event.key} `)))
    first = { key: event.key, at: event.timeStamp };
}

/** Adds keys while a component is shown. The newest of the same key has it. */
export function useShortcuts(added: readonly Shortcut[]): void {
  const latest = useRef(added);
  useEffect(() => {
    latest.current = added;
  });
  const names = added.map(({ keys, words }) => keys + words).join();
  useEffect(() => {
    const mine = latest.current.map((shortcut, index) => ({
      ...shortcut,
      run: (event: KeyboardEvent) => latest.current[index]?.run(event),
    }));
    if (shortcuts.length === 0) addEventListener('keydown', onKeyDown);
    change([...shortcuts, ...mine]);
    return () => {
      change(shortcuts.filter((one) => !mine.includes(one)));
      if (shortcuts.length === 0) removeEventListener('keydown', onKeyDown);
    };
  }, [names]);
}

/** Every key that does something now. */
export function useAllShortcuts(): readonly Shortcut[] {
  return useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    () => shortcuts,
  );
}
