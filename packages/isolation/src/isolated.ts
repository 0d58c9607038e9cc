import type { IsolatedHandler } from '@duework/queue-core';
import { checkModule } from './check-module.js';
import { runIsolated } from './run-isolated.js';

/**
 * The handler of a contract with `isolate`. Its module's default export is made by `defineIsolated`, which checks the
 * types, because a module that is named by a URL has none. A worker loads the module once before it claims anything, and
 * does not start where that fails: `isolated_module_invalid`.
 */
export function isolated(module: URL): IsolatedHandler {
  return {
    kind: 'isolated',
    module,
    check: (asked) => checkModule(module, asked),
    run: (attempt) => runIsolated(module, attempt),
  };
}
