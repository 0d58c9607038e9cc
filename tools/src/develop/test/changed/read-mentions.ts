import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';

/** Each file of the repository that is code, with those that it mentions. */
export type Mentions = ReadonlyMap<string, readonly string[]>;

interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, string | { readonly default?: string }>>;
}

const CODE = /\.[mc]?[jt]sx?$/;
/** Any text that looks like a module or a file: imports, and programs that are started by their path. */
const TEXT = /['"`]((?:@duework\/|duework\b|\.{1,2}\/)[\w@./-]*|[\w@./-]+\.(?:[mc]?js|json|md|ya?ml|sql|css))['"`]/g;

/**
 * What mentions what. A file mentions another one by an import, or by the path of a program that it starts: tests start
 * what is built of `src`.
 */
export function readMentions(root: string): Mentions {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(root, file)));
  const there = new Set(files);
  const read = (file: string): string => readFileSync(join(root, file), 'utf8');
  const entries = new Map(
    files
      .filter((file) => /^(packages|apps)\/[^/]+\/package\.json$/.test(file))
      .flatMap((file) => listEntries(dirname(file), JSON.parse(read(file)) as Manifest)),
  );
  const programs = groupByName(files.filter((file) => /\.[mc]js$/.test(file)));
  const resolve = (text: string, from: string): string | undefined => {
    const named = entries.get(text);
    const paths = named === undefined ? [posix.join(dirname(from), text), text, `tools/src/${text}`] : [named];
    return paths.flatMap(sourcesOf).find((path) => there.has(path)) ?? programs.get(text);
  };
  return new Map(
    files
      .filter((file) => CODE.test(file))
      .map((file) => {
        const found = [...read(file).matchAll(TEXT)].map(([, text]) => resolve(text!, file));
        return [file, [...new Set(found.filter((path) => path !== undefined && path !== file))] as string[]];
      }),
  );
}

/** `@duework/http/testing` and the file that it is in. */
function listEntries(folder: string, { name, exports = {} }: Manifest): [string, string][] {
  return Object.entries(exports).flatMap(([entry, target]): [string, string][] => {
    const path = typeof target === 'string' ? target : target.default;
    return path === undefined ? [] : [[posix.join(name, entry), posix.join(folder, path)]];
  });
}

/** The sources that a path may be built of. */
function sourcesOf(path: string): string[] {
  const source = path.replace('/dist/publish/dist/', '/src/').replace('/dist/src/', '/src/').replace('/dist/', '/src/');
  const bare = source.replace(/\.([mc]?)js$/, '');
  const suffix = /\.([mc])js$/.exec(source)?.[1] ?? '';
  return [path, source, `${bare}.${suffix}ts`, `${bare}.tsx`];
}

/** Programs that a test names without their folder; not those whose name two have. */
function groupByName(files: readonly string[]): Map<string, string> {
  const countOf = (name: string): number => files.filter((file) => basename(file) === name).length;
  return new Map(files.map((file) => [basename(file), file] as const).filter(([name]) => countOf(name) === 1));
}
