import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { importInstalled } from '@duework/queue-core/handling';
import type { IsolatedFunction } from '../define-isolated.js';
import { IsolationError } from '../isolation-error.js';

/** What Node says of a file that a compiler would take: a type or an enum, an import without an extension. */
const NEEDS_A_COMPILER = new Set<unknown>([
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
  'ERR_UNSUPPORTED_DIR_IMPORT',
  'ERR_MODULE_NOT_FOUND',
]);

/**
 * The module's default export. TypeScript that Node does not load by itself goes through the project's own tsx, in
 * development.
 *
 * @throws IsolationError `isolated_module_invalid`, which names the file, when there is none for that type
 */
export async function loadHandler(href: string, type: string): Promise<IsolatedFunction> {
  const file = nameModule(href);
  const refuse = (what: string, options?: ErrorOptions): IsolationError =>
    new IsolationError('isolated_module_invalid', `The handler of ${type}, ${file}, ${what}`, options);
  let handler: unknown;
  try {
    ({ default: handler } = await importModule(href));
  } catch (error) {
    const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw refuse(`cannot be loaded: ${why}${needsCompiler(href, error) ? HOW_TO_COMPILE : ''}`, { cause: error });
  }
  if (typeof handler !== 'function')
    throw refuse('has no function as its default export: export default defineIsolated(…).');
  const { jobType } = handler as IsolatedFunction;
  if (jobType !== undefined && jobType !== type) throw refuse(`was made for ${jobType}.`);
  return handler as IsolatedFunction;
}

/** How a module is named to people. */
export const nameModule = (href: string): string => (href.startsWith('file:') ? fileURLToPath(href) : href);

const HOW_TO_COMPILE =
  '. It is TypeScript: name the .js file that your build makes of it, and start the worker from your build. In ' +
  'development tsx loads it: npm install --save-dev tsx';

type Module = { readonly default?: unknown };

async function importModule(href: string): Promise<Module> {
  try {
    return (await import(href)) as Module;
  } catch (error) {
    if (!needsCompiler(href, error) || !(await registerTsx(href))) throw error;
    // Node remembers what it could not load
    return (await import(`${href}?tsx`)) as Module;
  }
}

/** Whether it is TypeScript, or named as the file that a build will make of it. */
function needsCompiler(href: string, error: unknown): boolean {
  if (!NEEDS_A_COMPILER.has((error as { code?: unknown } | null)?.code) || !href.startsWith('file:')) return false;
  const file = fileURLToPath(href);
  return /\.[cm]?tsx?$/.test(file) ? existsSync(file) : !existsSync(file) && existsSync(file.replace(/js$/, 'ts'));
}

/** false: the project has no tsx. */
async function registerTsx(href: string): Promise<boolean> {
  const file = fileURLToPath(href);
  const entries = await Promise.all(
    ['./cjs/api', './esm/api'].map((entry) => importInstalled<{ register: () => unknown }>(file, 'tsx', entry)),
  );
  for (const entry of entries) entry?.register();
  return entries.some((entry) => entry !== undefined);
}
