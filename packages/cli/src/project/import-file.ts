import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { PlainError } from '../plain-error.js';

/** Loads one module of a project, and what it imports. */
type Load = (file: string) => Promise<Record<string, unknown>>;

const native: Load = async (file) => (await import(pathToFileURL(file).href)) as Record<string, unknown>;

/**
 * Imports a module of the user's project, in JavaScript or TypeScript. TypeScript goes through what the project has
 * installed, `tsx` or `jiti`, because they know its tsconfig: paths, imports without an extension, decorators. Without
 * them Node itself loads it where it strips types.
 *
 * @throws PlainError `typescript_not_loadable`, `jobs_module_failed`
 */
export async function importFile(file: string): Promise<Record<string, unknown>> {
  const load = /\.[mc]?tsx?$/.test(file) ? await findLoader(file) : native;
  try {
    return unwrap(await load(file));
  } catch (error) {
    if (error instanceof PlainError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new PlainError('jobs_module_failed', `${file} cannot be loaded: ${why.split('\n', 1)[0]}`, { cause: error });
  }
}

async function findLoader(file: string): Promise<Load> {
  const tsx = await importFrom<{ register: () => unknown }>(file, 'tsx/esm/api');
  if (tsx !== undefined) {
    (await importFrom<{ register: () => unknown }>(file, 'tsx/cjs/api'))?.register();
    tsx.register();
    return native;
  }
  const jiti = await importFrom<{ createJiti: (parent: string) => { import: Load } }>(file, 'jiti');
  if (jiti !== undefined) return (name) => jiti.createJiti(pathToFileURL(name).href).import(name);
  if ((process.features as { typescript?: unknown }).typescript) return native;
  throw new PlainError(
    'typescript_not_loadable',
    `${file} is TypeScript, which Node ${process.versions.node} does not load by itself. Run: npm install --save-dev tsx`,
  );
}

/** A package as the project itself would import it; undefined when it is not installed there. */
async function importFrom<T>(file: string, name: string): Promise<T | undefined> {
  let found: string;
  try {
    found = createRequire(file).resolve(name);
  } catch {
    return undefined;
  }
  return (await import(pathToFileURL(found).href)) as T;
}

/** The exports of CommonJS, and of TypeScript that was compiled to it, are one level down. */
function unwrap(module: Record<string, unknown>): Record<string, unknown> {
  const inner = module['default'];
  return typeof inner === 'object' && inner !== null ? { ...(inner as Record<string, unknown>), ...module } : module;
}
