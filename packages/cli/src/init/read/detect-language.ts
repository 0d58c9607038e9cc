import type { Project } from '../project.js';
import type { PackageJson } from './read-package-json.js';
import type { CompilerOptions } from './read-compiler-options.js';

type Language = Pick<Project, 'extension' | 'importSuffix' | 'isModule'>;

/**
 * How the project's files end and import each other. Without a tsconfig, a project that has a package.json and no
 * TypeScript is written in JavaScript; an empty folder gets TypeScript.
 */
export function detectLanguage(options: CompilerOptions | undefined, json: PackageJson | undefined): Language {
  const isModulePackage = json === undefined || json.type === 'module';
  if (options === undefined) {
    const hasTypeScript = json === undefined || 'typescript' in { ...json.dependencies, ...json.devDependencies };
    if (hasTypeScript)
      return { extension: 'ts', importSuffix: isModulePackage ? '.js' : '', isModule: isModulePackage };
    // other files of such a project can require an .mjs
    return isModulePackage
      ? { extension: 'js', importSuffix: '.js', isModule: true }
      : { extension: 'mjs', importSuffix: '.mjs', isModule: true };
  }
  const isModule = isModulePackage && !/^commonjs$/i.test(options.module ?? '');
  if (options.allowImportingTsExtensions === true || options.rewriteRelativeImportExtensions === true)
    return { extension: 'ts', importSuffix: '.ts', isModule };
  const isNode = /^node(16|18|20|next)$/i;
  const needsExtension = isNode.test(options.moduleResolution ?? options.module ?? '');
  return { extension: 'ts', importSuffix: needsExtension && isModule ? '.js' : '', isModule };
}
