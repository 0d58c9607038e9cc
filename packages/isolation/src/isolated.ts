import type { IsolatedHandler } from '@duework/queue-core';

/**
 * The handler of a contract with `isolate`. Make the module's default export with `defineIsolated`, which checks the
 * types. A worker loads the module once before it claims anything, and does not start if that fails:
 * `isolated_module_invalid`.
 */
export function isolated(module: URL): IsolatedHandler {
  return {
    kind: 'isolated',
    module,
    check: async (asked) => (await import('./check-module.js')).checkModule(module, asked),
    run: async (attempt) => (await import('./run-isolated.js')).runIsolated(module, attempt),
    release: async (host) => (await import('./process-pool.js')).ProcessPool.of(host).close(),
  };
}
