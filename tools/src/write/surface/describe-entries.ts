import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../../bootstrap/paths.mjs';
import { readBundle } from '../../../bundle/bundle-types.mjs';
import { outsideOf } from '../../../bundle/outside.mjs';
import type { BundleSettings } from '../../../bundle/settings.d.mts';

/** Comments that have lines of their own; then those beside code, which a bundler writes there. */
const COMMENTS = [
  /^[ \t]*(?:\/\*(?:(?!\*\/)[\s\S])*\*\/[ \t]*)+\n|^[ \t]*\/\/.*\n/gm,
  /\/\*\*(?:(?!\*\/)[\s\S])*\*\/[ \t]*/g,
];
/** The first line of a declaration, an import or an export. */
const START = /^(?=(?:declare|export|import|interface|type|class|namespace|enum|abstract)\b)/m;

/**
 * A bundled declaration file without comments, its declarations by name and its exports one a line: so that a report
 * changes with the types, and not with the files that hold them.
 */
export function sortDeclarations(bundle: string): string {
  const parts = COMMENTS.reduce((text, comments) => text.replace(comments, ''), bundle)
    .split(START)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.map(onePerLine).toSorted(byKindAndName).join('\n');
}

/** `export { a, b };` with a name on each line. */
function onePerLine(part: string): string {
  const names = /^export \{(.*)\};?$/s.exec(part)?.[1];
  if (names === undefined) return part;
  const sorted = names.split(',').map((name) => `  ${name.trim()},\n`);
  return `export {\n${sorted.toSorted().join('')}};`;
}

const nameOf = (part: string): string =>
  /^(?:declare |abstract )*(?:class|const|function|interface|type|enum|namespace|let) ([\w$]+)/.exec(part)?.[1] ?? part;

/** Imports first, then declarations by name (overloads stay in their order), the exports last. */
function byKindAndName(one: string, other: string): number {
  const order = (part: string): number => (part.startsWith('import ') ? 0 : part.startsWith('export ') ? 2 : 1);
  const [first, second] = [nameOf(one), nameOf(other)];
  return order(one) - order(other) || (first < second ? -1 : first > second ? 1 : 0);
}

interface Report {
  /** Below the root. */
  readonly path: string;
  readonly text: string;
}

/** The reports of a published package: for each entry all that its types are made of, without comments, by name. */
export async function describeEntries(folder: string): Promise<Report[]> {
  const dir = join(root, 'packages', folder);
  const { default: settings } = (await import(pathToFileURL(join(dir, 'bundle.config.mjs')).href)) as {
    default: BundleSettings;
  };
  const outside = outsideOf(JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as object);
  const reports: Report[] = [];
  for (const [name, file] of Object.entries(settings.entries)) {
    const [bundle] = await readBundle(join(dir, settings.from), { [name]: file }, outside);
    const text = sortDeclarations(bundle!.text);
    const title = name === 'index' ? folder : `${folder}/${name}`;
    reports.push({
      path: `packages/${folder}/etc/${name}.api.md`,
      text: `# ${title}\n\nWritten by \`npm run write -- surface\`.\n\n\`\`\`ts\n${text}\n\`\`\`\n`,
    });
  }
  return reports;
}
