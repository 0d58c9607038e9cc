import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from '../api.js';

/** Tells routes below which path they are, and puts it before the `Location` that they answer. */
export function placeBelow(basePath: string): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    c.set('basePath', basePath);
    await next();
    if (basePath === '') return;
    const location = c.res.headers.get('location');
    if (location?.startsWith('/')) c.res.headers.set('Location', basePath + location);
  };
}
