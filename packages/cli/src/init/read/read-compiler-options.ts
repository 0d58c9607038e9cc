import { posix } from 'node:path';
import type { ProjectFiles } from '../project.js';

/** The part of `compilerOptions` that decides how files import each other, and what a build makes of them. */
export interface CompilerOptions {
  readonly module?: string;
  readonly moduleResolution?: string;
  readonly allowImportingTsExtensions?: boolean;
  readonly rewriteRelativeImportExtensions?: boolean;
  readonly outDir?: string;
  readonly rootDir?: string;
  readonly noEmit?: boolean;
  readonly emitDeclarationOnly?: boolean;
  readonly composite?: boolean;
  readonly declaration?: boolean;
  readonly declarationMap?: boolean;
}

/** A tsconfig as it is written, without those that it extends. */
interface WrittenConfig {
  readonly extends?: string | readonly string[];
  readonly compilerOptions?: CompilerOptions;
  readonly include?: readonly string[];
  readonly files?: readonly string[];
}

/** What a project's own tsconfig says; paths in one that it extends are from elsewhere. Empty where there is none. */
export const readOwnConfig = (files: ProjectFiles): WrittenConfig =>
  (parseJsonc(files.read('tsconfig.json') ?? '') ?? {}) as WrittenConfig;

/** More than any chain that people write; a circle ends here, too. */
const LONGEST_CHAIN = 10;

/** The options of a tsconfig with those that it extends; undefined: there is no such file. */
export function readCompilerOptions(
  files: ProjectFiles,
  path = 'tsconfig.json',
  depth = 0,
): CompilerOptions | undefined {
  const text = files.read(path);
  if (text === undefined || depth > LONGEST_CHAIN) return undefined;
  const config = (parseJsonc(text) ?? {}) as WrittenConfig;
  const bases = [config.extends ?? []].flat().map((name) => {
    const base = name.startsWith('.') ? posix.join(posix.dirname(path), name) : `node_modules/${name}`;
    return (
      readCompilerOptions(files, base, depth + 1) ??
      readCompilerOptions(files, base.endsWith('.json') ? base : `${base}.json`, depth + 1) ??
      readCompilerOptions(files, `${base}/tsconfig.json`, depth + 1)
    );
  });
  return Object.assign({}, ...bases, config.compilerOptions) as CompilerOptions;
}

/** JSON with comments and commas at the end, as tsconfig.json has them; undefined when it is not that either. */
function parseJsonc(text: string): unknown {
  const plain = text.replace(
    /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[\]}])/g,
    (token) => (token.startsWith('"') ? token : ''),
  );
  try {
    return JSON.parse(plain.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
