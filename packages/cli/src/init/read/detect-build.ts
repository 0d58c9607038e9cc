import { posix } from 'node:path';
import type { BuildFacts, Project, ProjectFiles } from '../project.js';
import { readOwnConfig, type CompilerOptions } from './read-compiler-options.js';

/** What a base may turn on and a build of the worker does without: it emits JavaScript of the files that it names. */
const OFF = ['noEmit', 'emitDeclarationOnly', 'composite', 'declaration', 'declarationMap'] as const;

/** What is known of a project by the time that its build is looked for. */
interface Seen extends Pick<Project, 'extension' | 'sourceDir' | 'prisma'> {
  /** Its `.js` files are ES modules. */
  readonly isModulePackage: boolean;
}

/**
 * How the worker becomes JavaScript for production; undefined: it is written in JavaScript. TypeScript's own compiler does it
 * where Node can run what that makes; where imports have no endings, and a bundler finds the files, esbuild does.
 *
 * @param options - of the project's tsconfig; undefined: init writes one
 */
export function detectBuild(
  files: ProjectFiles,
  options: CompilerOptions | undefined,
  { extension, sourceDir, prisma, isModulePackage }: Seen,
): BuildFacts | undefined {
  if (extension !== 'ts') return undefined;
  const { compilerOptions: own = {} } = readOwnConfig(files);
  const outDir = isInside(own.outDir) ? trim(own.outDir) : 'dist';
  const rootDir = isInside(own.rootDir) ? trim(own.rootDir) : findRootDir(sourceDir, prisma);
  const { module = '', allowImportingTsExtensions, rewriteRelativeImportExtensions } = options ?? NEW;
  const isNode = /^node(16|18|20|next)$/i.test(module) || (/^commonjs$/i.test(module) && !isModulePackage);
  const isRewriting = allowImportingTsExtensions === true && rewriteRelativeImportExtensions !== true;
  return {
    tool: isNode ? 'tsc' : 'esbuild',
    format: isModulePackage ? 'esm' : 'cjs',
    rootDir,
    outDir,
    worker: posix.join(outDir, posix.relative(rootDir, sourceDir), 'worker.js'),
    overrides: {
      ...Object.fromEntries(OFF.filter((name) => (options ?? NEW)[name] === true).map((name) => [name, false])),
      ...(isRewriting ? { rewriteRelativeImportExtensions: true } : {}),
    },
  };
}

/** The tsconfig that init writes. */
const NEW: CompilerOptions = { module: 'nodenext', noEmit: true };

/** That of the sources, unless the generated client is outside of it. */
function findRootDir(sourceDir: string, prisma: Project['prisma']): string {
  const module = prisma?.module;
  const isOutside = module !== undefined && 'path' in module && !module.path.startsWith('src/');
  return sourceDir === '' || isOutside ? '.' : 'src';
}

const trim = (path: string): string => posix.normalize(path).replace(/\/$/, '');

const isInside = (path: string | undefined): path is string =>
  path !== undefined && !posix.isAbsolute(path) && !posix.normalize(path).startsWith('..') && !path.includes('$');

const FOLDERS = ['test', 'tests', '__tests__'];

/**
 * The folder in which the project keeps its tests; undefined: they are beside what they test. Where its build makes
 * JavaScript of `src` alone, a new folder keeps a test out of that.
 */
export function detectTestDir(files: ProjectFiles, options: CompilerOptions | undefined): string | undefined {
  const found = FOLDERS.find((folder) => files.hasFolder(folder));
  if (found !== undefined) return found;
  const { include, files: listed } = readOwnConfig(files);
  const isEmitting = options?.outDir !== undefined && options.noEmit !== true;
  const isChosen = include === undefined ? listed !== undefined : include.every((path) => /^(\.\/)?src\b/.test(path));
  return isEmitting && isChosen ? 'test' : undefined;
}
