import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/** Says where a navigation has led to, for whoever does not see it. */
export function Arrival() {
  const router = useRouter();
  const [title, tell] = useState('');
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation !== undefined && pathChanged) tell(document.title);
      }),
    [router],
  );
  return (
    <p role="status" className="sr-only">
      {title}
    </p>
  );
}
