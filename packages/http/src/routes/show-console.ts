import type { Route } from '../api.js';
import { problems } from '../openapi/problems.js';

/** `GET /console`: to the console, whose files are below its folder. */
export function showConsole(): Route {
  return {
    scope: 'public',
    doc: {
      method: 'get',
      path: '/console',
      operationId: 'showConsole',
      summary: 'The console, for people',
      responses: { 308: { description: 'It is at `console/`.' }, ...problems() },
    },
    // relative, because a proxy between may have taken away a part of the path that only the browser knows
    handle: (c) => c.body(null, 308, { Location: 'console/' }),
  };
}
