import { posix } from 'node:path';

/** What has to have a name where a declaration that TypeScript writes for a user is about it. */
const DECLARED = /^(?:declare |abstract )*(?:class|enum|interface|namespace|type) ([\w$]+)/gm;
const EXPORTS = /^export \{(.*)\};?\n?$/ms;
const SHARED = /^import .* from "(\.[^"]+)";$/gm;

/**
 * Lets each entry export every type that its declarations are made of. With `declaration`, TypeScript writes down the types
 * that it inferred for a user's exports, and refuses (TS2742, TS4023) where one of them has no name that can be imported.
 * Throws for two types of one name, of which one could not be written.
 *
 * @param {{ name: string, text: string }[]} files the entries, and what they share
 * @param {import('./settings.d.mts').Entries} entries
 * @returns {{ name: string, text: string }[]}
 */
export function nameTypes(files, entries) {
  const named = new Map(files.map(({ name, text }) => [name, exportDeclared(text)]));
  return [...named].map(([name, text]) => {
    if (!(name.replace(/\.d\.ts$/, '') in entries)) return { name, text };
    const shared = [...findShared(named, name)];
    refuseTwice(name, [text, ...shared.map((file) => named.get(file) ?? '')]);
    const ways = shared.map((file) => posix.relative(posix.dirname(name), file).replace(/^(?!\.)/, './'));
    const lines = ways.map((way) => `export type * from "${way.replace(/\.d\.ts$/, '.js')}";\n`);
    return { name, text: text + lines.join('') };
  });
}

/** @param {string} text */
function exportDeclared(text) {
  const names = (EXPORTS.exec(text)?.[1] ?? '').split(',').map((name) => name.trim());
  const locals = new Set(names.map((name) => name.replace(/^type | as .*$/g, '')));
  const others = [...text.matchAll(DECLARED)].flatMap(([, name]) => (locals.has(name ?? '') ? [] : `type ${name}`));
  const all = [...names.filter((name) => name !== ''), ...new Set(others)];
  return all.length === 0 ? text : `${text.replace(EXPORTS, '').trimEnd()}\nexport { ${all.join(', ')} };\n`;
}

/**
 * The files that an entry's types are in besides: what is shared is made of what all who share it need.
 *
 * @param {Map<string, string>} named
 * @param {string} file
 * @param {Set<string>} [found]
 */
function findShared(named, file, found = new Set()) {
  for (const [, from = ''] of (named.get(file) ?? '').matchAll(SHARED)) {
    const other = posix.join(posix.dirname(file), from).replace(/\.js$/, '.d.ts');
    if (!found.has(other)) findShared(named, other, found.add(other));
  }
  return found;
}

/**
 * @param {string} entry
 * @param {string[]} texts
 */
function refuseTwice(entry, texts) {
  const names = texts.flatMap((text) => [...new Set([...text.matchAll(DECLARED)].map(([, name = '']) => name))]);
  const twice = names.filter((name, at) => /\$\d+$/.test(name) || names.indexOf(name) !== at);
  if (twice.length > 0) throw new Error(`${entry} has two types of one name, so rename one: ${twice.join(', ')}.`);
}
