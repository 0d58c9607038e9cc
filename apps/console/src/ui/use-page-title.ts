import { useEffect } from 'react';
import { texts } from '../texts/texts.js';

/** The title of the tab while a screen is shown. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${texts.app.name}`;
  }, [title]);
}
