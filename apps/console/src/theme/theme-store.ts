import { useSyncExternalStore } from 'react';
import { createStored } from './create-stored.js';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

// public/theme.js reads the same name before anything is drawn, and takes what it does not know for the system's choice
const stored = createStored<Theme>('duework.theme', THEMES, 'system');
const darkSystem = matchMedia('(prefers-color-scheme: dark)');

function show(): void {
  const theme = stored.get();
  const isDark = theme === 'system' ? darkSystem.matches : theme === 'dark';
  const shown = isDark ? 'dark' : 'light';
  document.documentElement.dataset['theme'] = shown;
  document.querySelector<HTMLMetaElement>('meta[name="color-scheme"]')!.content = shown;
}
stored.subscribe(show);
darkSystem.addEventListener('change', show);

export const setTheme = stored.set;
export const useTheme = (): Theme => useSyncExternalStore(stored.subscribe, stored.get);
