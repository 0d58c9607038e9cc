import { useEffect, useState } from 'react';

const SETTLED_MS = 300;

/** A value once it has not changed for a moment: what somebody types is not asked for letter by letter. */
export function useSettled<T>(value: T): T {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
