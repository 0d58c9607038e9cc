import { useState } from 'react';
import type { Trouble } from './find-troubles.js';
import { holdTroubles, type HeldTroubles } from './hold-troubles.js';

/** The troubles, which stay at their places while `isHeld`. `release` shows those that have come since. */
export function useHeldTroubles(
  fresh: readonly Trouble[],
  isHeld: boolean,
): HeldTroubles & { readonly release: () => void } {
  const [held, setHeld] = useState<readonly Trouble[] | null>(null);
  if (isHeld && held === null) setHeld(fresh);
  if (!isHeld && held !== null) setHeld(null);
  return { ...holdTroubles(isHeld ? held : null, fresh), release: () => setHeld(fresh) };
}
