import type { IsolatedHandler } from '@duework/queue-core';
import { checkModule } from './check-module.js';
import { runIsolated } from './run-isolated.js';

/**
 * The handler of a contract with `isolate`. Make the module's default export with `defineIsolated`, which checks the
 * types. A worker loads the module once before it claims anything, and does not start if that fails:
 * `isolated_module_invalid`.
 */
export function isolated(module: URL): IsolatedHandler {
  return {
    kind: 'isolated',
    module,
    check: (asked) => checkModule(module, asked),
    run: (attempt) => runIsolated(module, attempt),
  };
}
