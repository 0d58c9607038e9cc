import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';

/** The used part of WebAssembly; its types come with the DOM's, which this package does not load. */
interface WebAssemblyLoader {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: Record<string, unknown> } }>;
}
const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyLoader };

type Import = (...args: unknown[]) => unknown;

/**
 * The engine guards each call with a timer of 10 s that it never clears. The timer must not keep a finished process
 * alive; while a call is in progress, its connection does.
 */
function importsWithoutHold(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(bindings).map(([name, value]) => {
      if (!name.startsWith('__wbg_setTimeout_')) return [name, value];
      const start = value as unknown as Import;
      return [name, (...args: unknown[]) => (start(...args) as NodeJS.Timeout).unref()];
    }),
  );
}

/** Where the engine puts its last words when it panics; they would be lost, and the call would never end. */
Object.assign(globalThis, {
  PRISMA_WASM_PANIC_REGISTRY: {
    set_message: (message: string): never => {
      throw new Error(message);
    },
  },
});

let loading: Promise<typeof bindings.SchemaEngine> | undefined;

async function load(): Promise<typeof bindings.SchemaEngine> {
  // The package's own entry imports the .wasm file as a module, which Node 20 cannot.
  const script = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const wasm = readFileSync(join(dirname(script), 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': importsWithoutHold() });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports['__wbindgen_start'] as () => void)();
  return bindings.SchemaEngine;
}

/** Prisma's schema engine as WebAssembly, loaded once per process. */
export function loadSchemaEngine(): Promise<typeof bindings.SchemaEngine> {
  loading ??= load();
  return loading;
}
