import type { ProjectFiles } from '../project.js';
import type { PackageJson } from './read-package-json.js';

/** How far `**` goes. */
const LEVELS = 4;

/**
 * The folders of the packages of a workspace whose root this is, in order; undefined: it is not the root of one. pnpm names
 * them in pnpm-workspace.yaml, the others in package.json.
 */
export function listPackages(files: ProjectFiles, { workspaces }: PackageJson): string[] | undefined {
  const patterns = readYamlList(files.read('pnpm-workspace.yaml')) ?? toPatterns(workspaces);
  if (patterns === undefined) return undefined;
  const match = (pattern: string): string[] => expand(files, pattern.replace(/^\.?\//, '').split('/'), '');
  const isLeftOut = new Set(
    patterns.filter((pattern) => pattern.startsWith('!')).flatMap((one) => match(one.slice(1))),
  );
  const found = patterns.filter((pattern) => !pattern.startsWith('!')).flatMap(match);
  return [...new Set(found)].filter((path) => path !== '' && !isLeftOut.has(path) && isPackage(files, path)).toSorted();
}

const isPackage = ({ read }: ProjectFiles, path: string): boolean => read(`${path}/package.json`) !== undefined;

/** `["apps/*"]`, or `{ "packages": ["apps/*"] }` as the first yarn had it. */
function toPatterns(workspaces: unknown): string[] | undefined {
  const list = (workspaces as { packages?: unknown } | undefined)?.packages ?? workspaces;
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : undefined;
}

/** The list under `packages:`; a file without one holds settings alone. */
function readYamlList(text = ''): string[] | undefined {
  const [, inline, lines] =
    /^packages:[ \t]*(?:\[([^\]]*)\]|(?:#.*)?\r?\n((?:[ \t]*(?:-|#).*\r?\n?|[ \t]*\r?\n)*))/m.exec(text) ?? [];
  const items = inline?.split(',') ?? lines?.split('\n').map((line) => /^\s*-\s*(.*)$/.exec(line)?.[1] ?? '');
  return items
    ?.map((item) =>
      item
        .replace(/\s+#.*$/, '')
        .trim()
        .replace(/^(['"])(.*)\1$/, '$2'),
    )
    .filter((item) => item !== '');
}

function expand(files: ProjectFiles, [part, ...rest]: readonly string[], dir: string): string[] {
  if (part === undefined || part === '') return [dir];
  const below = (name: string): string => (dir === '' ? name : `${dir}/${name}`);
  const folders = files.foldersIn(dir).filter((name) => name !== 'node_modules' && !name.startsWith('.'));
  if (part === '**') {
    if (dir.split('/').length > LEVELS) return [];
    return [...expand(files, rest, dir), ...folders.flatMap((name) => expand(files, ['**', ...rest], below(name)))];
  }
  const wanted = new RegExp(`^${part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);
  return folders.filter((name) => wanted.test(name)).flatMap((name) => expand(files, rest, below(name)));
}
