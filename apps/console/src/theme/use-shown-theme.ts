import { useSyncExternalStore } from 'react';

const page = document.documentElement;

function subscribe(tell: () => void): () => void {
  const observer = new MutationObserver(tell);
  observer.observe(page, { attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}

/** The theme that is shown, for what is drawn without style sheets. */
export const useShownTheme = (): string => useSyncExternalStore(subscribe, () => page.dataset['theme'] ?? 'light');
