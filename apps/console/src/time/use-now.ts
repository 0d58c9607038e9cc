import { useSyncExternalStore } from 'react';
import { serverNow } from './server-clock.js';

const EVERY_MS = 1_000;
const listeners = new Set<() => void>();
let now = serverNow();
let timer: ReturnType<typeof setInterval> | undefined;

/** Now, once a second while the tab is seen: one timer for the whole page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

function tick(): void {
  if (document.hidden) return;
  now = serverNow();
  for (const tell of listeners) tell();
}

function subscribe(tell: () => void): () => void {
  listeners.add(tell);
  if (timer === undefined) {
    now = serverNow();
    timer = setInterval(tick, EVERY_MS);
    document.addEventListener('visibilitychange', tick);
  }
  return () => {
    listeners.delete(tell);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    document.removeEventListener('visibilitychange', tick);
  };
}
