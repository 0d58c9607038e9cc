import { fileURLToPath } from 'node:url';
import type { IsolatedFunction } from '../define-isolated.js';
import { IsolationError } from '../isolation-error.js';

/** The module's default export. Throws `isolated_module_invalid`, which names the file, when there is none for that type. */
export async function loadHandler(href: string, type: string): Promise<IsolatedFunction> {
  const file = href.startsWith('file:') ? fileURLToPath(href) : href;
  const refuse = (what: string, options?: ErrorOptions): IsolationError =>
    new IsolationError('isolated_module_invalid', `The handler of ${type}, ${file}, ${what}`, options);
  let handler: unknown;
  try {
    ({ default: handler } = (await import(href)) as { default?: unknown });
  } catch (error) {
    throw refuse(`cannot be loaded: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`, {
      cause: error,
    });
  }
  if (typeof handler !== 'function')
    throw refuse('has no function as its default export: export default defineIsolated(…).');
  const { jobType } = handler as IsolatedFunction;
  if (jobType !== undefined && jobType !== type) throw refuse(`was made for ${jobType}.`);
  return handler as IsolatedFunction;
}
