import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/**
 * Says where a navigation has led to, for whoever does not see it. Where what had the focus is gone with the screen before, the
 * focus is given to the new one, so that the next Tab does not begin at the top.
 */
export function Arrival() {
  const router = useRouter();
  const [title, tell] = useState('');
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation === undefined || !pathChanged) return;
        tell(document.title);
        if (document.activeElement === null || document.activeElement === document.body)
          document.getElementById('main')?.focus({ preventScroll: true });
      }),
    [router],
  );
  return (
    <p role="status" className="sr-only">
      {title}
    </p>
  );
}
