import { pathToFileURL } from 'node:url';
import { PlainError } from '../plain-error.js';
import { findProjectDir } from './find-project-dir.js';
import { hideRemarks } from './hide-remarks.js';
import { sayInstall } from './install-command.js';
import { importInstalled } from '@duework/queue-core/handling';

/** Loads one module of a project, and what it imports. */
type Load = (file: string) => Promise<Record<string, unknown>>;

/** What Node says of an enum, and of an import without an extension: a compiler would take both. */
const NEEDS_A_LOADER = ['ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX', 'ERR_MODULE_NOT_FOUND', 'ERR_UNSUPPORTED_DIR_IMPORT'];

const native: Load = async (file) => (await import(pathToFileURL(file).href)) as Record<string, unknown>;

/** Node leaves out the types and knows nothing else of TypeScript. */
const stripping: Load = (file) => native(file);

/**
 * Imports a module of the user's project, in JavaScript or TypeScript. TypeScript goes through what the project has
 * installed, `tsx` or `jiti`, because they know its tsconfig: paths, imports without an extension, decorators. Without
 * them Node itself loads it where it strips types.
 *
 * @throws PlainError `typescript_not_loadable`, `jobs_module_failed`
 */
export async function importFile(file: string): Promise<Record<string, unknown>> {
  hideRemarks();
  const load = /\.[mc]?tsx?$/.test(file) ? await findLoader(file) : native;
  try {
    return unwrap(await load(file));
  } catch (error) {
    if (error instanceof PlainError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    const code = (error as { code?: string } | null)?.code;
    const isStripped = load === stripping && NEEDS_A_LOADER.includes(code ?? '');
    const fix = isStripped ? `. A loader may find it: ${installLoader(file)}` : '';
    throw new PlainError('jobs_module_failed', `${file} cannot be loaded: ${oneLine(why)}${fix}`, {
      cause: error,
    });
  }
}

const installLoader = (file: string): string => sayInstall(findProjectDir(file), ['tsx'], { isDev: true });

async function findLoader(file: string): Promise<Load> {
  const tsx = await importInstalled<{ register: () => unknown }>(file, 'tsx', './esm/api');
  if (tsx !== undefined) {
    (await importInstalled<{ register: () => unknown }>(file, 'tsx', './cjs/api'))?.register();
    tsx.register();
    return native;
  }
  const jiti = await importInstalled<{ createJiti: (parent: string) => { import: Load } }>(file, 'jiti', '.');
  if (jiti !== undefined) return (name) => jiti.createJiti(pathToFileURL(name).href).import(name);
  if ((process.features as { typescript?: unknown }).typescript) return stripping;
  throw new PlainError(
    'typescript_not_loadable',
    `${file} is TypeScript, which Node ${process.versions.node} does not load by itself. Run: ${installLoader(file)}`,
  );
}

const LONGEST = 400;

/** A compiler says in its second line what is wrong. */
const oneLine = (text: string): string =>
  text
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim()
    .slice(0, LONGEST);

/** The exports of CommonJS, and of TypeScript that was compiled to it, are one level down. */
function unwrap(module: Record<string, unknown>): Record<string, unknown> {
  const inner = module['default'];
  return typeof inner === 'object' && inner !== null ? { ...(inner as Record<string, unknown>), ...module } : module;
}
