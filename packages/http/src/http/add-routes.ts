import type { OpenAPIHono } from '@hono/zod-openapi';
import { ApiError } from '../api-error.js';
import type { ApiEnv, Route } from '../api.js';
import type { MiddlewareHandler } from 'hono';
import type { Scope } from '../access/principal.js';
import type { Share } from '../access/share.js';
import { withAccess } from '../openapi/with-access.js';
import { limitBody } from './requests/limit-body.js';
import { refuseQuery } from './requests/refuse-query.js';
import { refuseUnreadable } from './requests/refuse-unreadable.js';

/**
 * Adds routes to the app and to its document. The routes read the bodies themselves, not by the document's schemas,
 * because a payload's schema is its contract's, which only the queue checks. `authorize` makes what runs before any of a
 * body is read, and `bodies` is what bodies may hold of this process.
 */
export function addRoutes(
  app: OpenAPIHono<ApiEnv>,
  routes: readonly Route[],
  authorize: (scope: Scope, isForSomeTypes: boolean) => MiddlewareHandler<ApiEnv>,
  bodies: Share,
): void {
  for (const path of new Set(routes.map(({ doc }) => doc.path))) {
    const onPath = routes.filter(({ doc }) => doc.path === path);
    const rest = onPath.some(({ takesRest }) => takesRest === true) ? '{.*}' : '';
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1') + rest;
    // Before all other middleware of this path, so that a refusal counts as this route's, too.
    app.use(pattern, (c, next) => (c.set('route', path), next()));
    for (const { doc, scope, isForSomeTypes = false, bodyLimitBytes, handle } of onPath) {
      app.openAPIRegistry.registerPath(scope === 'public' ? doc : withAccess(doc, scope, isForSomeTypes));
      if (scope !== 'public') app.on(doc.method, pattern, authorize(scope, isForSomeTypes));
      if (scope !== 'public') app.on(doc.method, pattern, refuseUnreadable);
      if (scope !== 'public' && !hasQuery(doc)) app.on(doc.method, pattern, refuseQuery);
      if (bodyLimitBytes === undefined) app.on(doc.method, pattern, handle);
      else app.on(doc.method, pattern, limitBody(bodyLimitBytes, bodies), handle);
    }
    const methods = onPath.map(({ doc }) => doc.method.toUpperCase());
    const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ');
    app.all(pattern, (c) => {
      throw new ApiError('method_not_allowed', `${c.req.method} is not a method of ${path}. Allowed: ${allow}.`, {
        headers: { Allow: allow },
      });
    });
  }
}

/** Whether a route reads a query, and so refuses what it does not know of it. */
const hasQuery = ({ parameters = [] }: Route['doc']): boolean =>
  parameters.some((parameter) => 'in' in parameter && parameter.in === 'query');
