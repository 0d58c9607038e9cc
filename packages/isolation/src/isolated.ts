import type { IsolatedHandler } from '@duework/queue-core';
import { runIsolated } from './run-isolated.js';

/**
 * The handler of a contract with `isolate`. Its module's default export is made by `defineIsolated`, which checks the
 * types, because a module that is named by a URL has none. A module of another type is refused when it is loaded.
 */
export function isolated(module: URL): IsolatedHandler {
  return { kind: 'isolated', module, run: (attempt) => runIsolated(module, attempt) };
}
