import { posix } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

/** A function, class or value that users import. */
export interface Declared {
  readonly name: string;
  /** How it is used, such as `enqueue(db, contract, payload, options?): Promise<EnqueuedJob>`. */
  readonly use: string;
  /** As Markdown; empty: it has none. */
  readonly comment: string;
}

/** As much of the syntax tree of ESTree as is read here. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly name?: string;
  readonly id?: Node | null;
  readonly local?: Node;
  readonly imported?: Node;
  readonly exported?: Node;
  readonly key?: Node;
  readonly argument?: Node;
  readonly optional?: boolean;
  readonly source?: { readonly value: string } | null;
  readonly body?: Node | { readonly body: readonly Node[] };
  readonly specifiers?: readonly Node[];
  readonly declarations?: readonly Node[];
  readonly params?: readonly Node[];
  readonly typeAnnotation?: Node | null;
  readonly returnType?: Node | null;
}

const VALUES = new Set(['TSDeclareFunction', 'ClassDeclaration', 'VariableDeclaration']);
const LONGEST_RESULT = 60;

/** What a bundled declaration file exports, but for types, by name. `files`: it and those that it imports from. */
export function readDeclarations(files: ReadonlyMap<string, string>, file: string): Declared[] {
  const body = parse(files.get(file)!);
  const imported = new Map(
    body
      .filter(({ type }) => type === 'ImportDeclaration')
      .flatMap(({ specifiers = [], source }) => specifiers.map((one) => [one.local!.name!, { one, source }] as const)),
  );
  return body
    .filter(({ type, source }) => type === 'ExportNamedDeclaration' && !source)
    .flatMap(({ specifiers = [] }) => specifiers)
    .flatMap(({ local, exported }) => {
      const from = imported.get(local!.name!);
      const path = from?.source ? posix.join(posix.dirname(file), from.source.value.replace(/\.cjs$/, '.d.cts')) : file;
      // a default export is told by the name that it has where it is declared; `_default` has none
      if (local!.name === '_default') return [];
      const name = exported!.name === 'default' ? local!.name! : exported!.name!;
      return findDeclared(files.get(path), from?.one.imported?.name ?? local!.name!, name);
    })
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** The comment of the first of its overloads, and the longest use; nothing: it is a type, or another package's. */
function findDeclared(text: string | undefined, local: string, name: string): Declared[] {
  if (text === undefined) return [];
  const nodes = parse(text).filter(
    (one) => VALUES.has(one.type) && (one.id ?? one.declarations?.[0]?.id)?.name === local,
  );
  const [longest] = nodes.toSorted((a, b) => (b.params?.length ?? 0) - (a.params?.length ?? 0));
  return longest === undefined
    ? []
    : [{ name, use: tellUse(text, longest, name), comment: commentBefore(text, nodes[0]!) }];
}

function tellUse(text: string, node: Node, name: string): string {
  if (node.type === 'ClassDeclaration') return `class ${name}`;
  const typed = node.declarations?.[0]?.id?.typeAnnotation?.typeAnnotation ?? node;
  if (typed.params === undefined) return name;
  const result = typed.returnType?.typeAnnotation;
  const told = result ? text.slice(result.start, result.end) : '';
  const params = typed.params.map((param) => tellParam(text, param)).join(', ');
  return `${name}(${params})${told.length > LONGEST_RESULT || told === '' ? '' : `: ${told.replaceAll(/\s+/g, ' ')}`}`;
}

function tellParam(text: string, param: Node): string {
  if (param.type === 'RestElement') return `...${tellParam(text, param.argument!)}`;
  const name =
    param.name ??
    text
      .slice(param.start, param.typeAnnotation?.start ?? param.end)
      .replace(/\?$/, '')
      .replaceAll(/\s+/g, ' ');
  return `${name}${param.optional === true ? '?' : ''}`;
}

/** The members of an interface, in their order; null: the file does not declare it. */
export function readMembers(text: string, name: string): Declared[] | null {
  const node = parse(text).find(({ type, id }) => type === 'TSInterfaceDeclaration' && id?.name === name);
  if (node === undefined) return null;
  return (node.body as { readonly body: readonly Node[] }).body.map((member) => {
    const comment = commentBefore(text, member);
    const typed = member.typeAnnotation?.typeAnnotation;
    const params = member.params ?? typed?.params;
    const told = params === undefined ? '' : `(${params.map((param) => tellParam(text, param)).join(', ')})`;
    const key = member.key?.name ?? '';
    return { name: key, use: `${key}${told}`, comment };
  });
}

const parse = (text: string): readonly Node[] =>
  (parseAst(text, { lang: 'dts' }) as unknown as { readonly body: readonly Node[] }).body;

function commentBefore(text: string, { start }: Node): string {
  const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(text.slice(0, start))?.[1] ?? '';
  return comment
    .replaceAll(/^[ \t]*\* ?/gm, '')
    .replaceAll(/^@param (\S+)(?: -)? /gm, '- `$1`: ')
    .replaceAll(/^@throws ([A-Z]\w+)/gm, '- throws `$1`')
    .replaceAll(/^@throws /gm, '- throws ')
    .replaceAll(/\{@link ([^}|]+)(?:\|[^}]*)?\}/g, '`$1`')
    .trim();
}
