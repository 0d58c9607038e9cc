import { useEffect } from 'react';

/** A window that closes gives the focus back by itself, a moment after it has gone. */
const GIVEN_BACK_MS = 150;

/**
 * Where what has the focus is taken out of the page — with the screen before, or because there is no more to do with it — the
 * content gets the focus. Else nothing would have it: screen readers would be at the top of the page, and told nothing.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const isLost = (): boolean =>
      last?.isConnected === false && (document.activeElement === null || document.activeElement === document.body);
    function look(): void {
      if (timer !== undefined || !isLost()) return;
      timer = setTimeout(() => {
        timer = undefined;
        if (!isLost()) return;
        last = null;
        document.getElementById('main')?.focus({ preventScroll: true });
      }, GIVEN_BACK_MS);
    }
    const note = ({ target }: FocusEvent): void => void (last = target as Element);
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', note);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', note);
      clearTimeout(timer);
    };
  }, []);
}
