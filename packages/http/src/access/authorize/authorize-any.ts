import type { Authorize } from './authorize.js';

/** Asks one after the other; the first that knows the credentials decides. */
export function authorizeAny(...ways: readonly Authorize[]): Authorize {
  return async (request, caller) => {
    for (const authorize of ways) {
      const decided = await authorize(request, caller);
      if (decided !== null) return decided;
    }
    return null;
  };
}
