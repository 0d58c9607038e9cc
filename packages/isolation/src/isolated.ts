import type { IsolatedHandler } from '@duework/queue-core';
import { runIsolated } from './run-isolated.js';

/**
 * The handler of a contract with `isolate`: the module's default export is made by `defineIsolated`, which is what types
 * it, because a module that is named by a URL has no types. Under another type's name it is refused when it is loaded.
 */
export function isolated(module: URL): IsolatedHandler {
  return { kind: 'isolated', module, run: (attempt) => runIsolated(module, attempt) };
}
