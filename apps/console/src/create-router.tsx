import { createRouter } from '@tanstack/react-router';
import { basePath } from './base-path.js';
import { routeTree } from './routes.js';
import { parseSearch, stringifySearch } from './search-text.js';

/** The console's addresses, below wherever it is served. */
export function createConsoleRouter() {
  return createRouter({
    routeTree,
    basepath: basePath,
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
