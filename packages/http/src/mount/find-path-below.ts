import { getPath } from 'hono/utils/url';

/**
 * Makes what finds the path of a request below `basePath`. Frameworks differ: some leave the path whole, some take away
 * the part below which a handler is mounted. Both are understood.
 */
export function findPathBelow(basePath: string): (request: Request) => string {
  if (basePath === '') return getPath;
  return (request) => {
    const path = getPath(request);
    if (path === basePath) return '/';
    return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
  };
}
