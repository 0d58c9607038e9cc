import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import type { Packed } from '../kit/packed.js';

/** Files that no user needs. */
const UNWANTED = /\.(test|types-test)\.|\.tsbuildinfo$|\.map$|(^|\/)(src|etc|fixtures|node_modules)\//;
const NEEDED = ['package.json', 'README.md', 'LICENSE'];
/** As the bundler writes them, at the beginning of a line: text of the package may hold others. */
const IMPORTS = [
  /^(?:import|export)\b[^"'`\n]*"([^"\n]+)";?$/gm,
  /^(?:let|const|var) [^"'`\n]*\brequire\("([^"\n]+)"\)/gm,
];

/** What users may be asked to bring. */
const BROUGHT = /^(node:|pg$|prom-client$)/;
/** What a declaration may name: nobody has to have types of more than Node's. */
const TYPED = /^node:/;

/** Sentences about what is in a package and should not be, or the other way round. */
export function findWrongContents({
  folder,
  files,
  manifest,
}: Pick<Packed, 'folder' | 'files' | 'manifest'>): string[] {
  const text = JSON.stringify(manifest);
  const paths = files.map(({ path }) => path);
  return [
    ...Object.keys(manifest.dependencies ?? {}).map((name) => `it depends on ${name}`),
    ...['workspace:', 'catalog:'].filter((part) => text.includes(part)).map((part) => `its package.json says ${part}`),
    ...NEEDED.filter((name) => !paths.includes(name)).map((name) => `there is no ${name}`),
    ...paths.filter((path) => UNWANTED.test(path)).map((path) => `${path} is inside`),
    ...paths.filter((path) => /\.c?[jt]s$/.test(path)).flatMap((path) => findLostImports(folder, path)),
  ];
}

/** Imports of a file that lead nowhere, or to what users do not have. */
function findLostImports(folder: string, path: string): string[] {
  const isDeclaration = /\.d\.c?ts$/.test(path);
  const isThere = (to: string): boolean => {
    if (!to.startsWith('.')) return (isDeclaration ? TYPED : BROUGHT).test(to);
    const file = isDeclaration ? to.replace(/\.cjs$/, '.d.cts').replace(/\.js$/, '.d.ts') : to;
    return existsSync(join(folder, normalize(join(dirname(path), file))));
  };
  const text = readFileSync(join(folder, path), 'utf8');
  return IMPORTS.flatMap((pattern) => [...text.matchAll(pattern)].map(([, to]) => to!))
    .filter((to) => !isThere(to))
    .map((to) => `${path} imports ${to}, which users do not have`);
}
