import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../../bootstrap/paths.mjs';
import { PlainError } from '../../../bootstrap/plain-error.mjs';
import type { BundleSettings } from '../../../bundle/settings.d.mts';
import { readDeclarations, readMembers, type Declared } from './read-declarations.js';

/** In the order in which people need them. */
const PACKAGES = ['duework', 'contracts', 'http', 'client', 'otel', 'bullmq', 'embedded'] as const;

/** What handlers get. */
const CONTEXTS = [
  { name: 'JobContext', about: 'What a handler gets, as its one argument.' },
  { name: 'DurableContext', about: 'What a handler gets besides, if its contract says `durable: true`.' },
] as const;

const HEAD = `# Functions

Written by \`npm run write -- reference\` from the comments of the published declarations, which your editor shows as well.
Options and their defaults are on [a page of their own](options.md).`;

/** docs/look-up/functions.md, before it is formatted: each function, class and value of each entry. Needs a build. */
export async function renderFunctions(): Promise<string> {
  const known = new Set<string>();
  const sections: string[] = [];
  for (const folder of PACKAGES) {
    const dir = join(root, 'packages', folder);
    const { default: settings } = (await import(pathToFileURL(join(dir, 'bundle.config.mjs')).href)) as {
      default: BundleSettings;
    };
    const files = readFiles(join(dir, 'dist/publish/dist'));
    const { name: scope } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as { name: string };
    for (const entry of Object.keys(settings.entries)) {
      const title = entry === 'index' ? scope : `${scope}/${entry}`;
      sections.push(renderEntry(title, `${entry}.d.cts`, files, known));
    }
    if (folder === 'duework') sections.push(...CONTEXTS.map((context) => renderContext(context, files)));
  }
  return `${[HEAD, ...sections].join('\n\n')}\n`;
}

function readFiles(dir: string): ReadonlyMap<string, string> {
  if (!existsSync(dir)) throw new PlainError(`There is no ${dir}. Run: npm run build`);
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.cts'));
  return new Map(files.map((file) => [file, readFileSync(join(dir, file), 'utf8')]));
}

/** `known`: what an entry before has told in the same words, and is only named again. */
function renderEntry(title: string, file: string, files: ReadonlyMap<string, string>, known: Set<string>): string {
  const declared = readDeclarations(files, file);
  const isKnown = (one: Declared): boolean => known.has(renderDeclared(one));
  const fresh = declared.filter((one) => !isKnown(one));
  const again = declared.filter(isKnown).map(({ name }) => `\`${name}\``);
  refuseSilent(title, fresh);
  const told = fresh.map(renderDeclared);
  for (const text of told) known.add(text);
  const parts = [`## ${title}`, ...told];
  if (again.length > 0) parts.push(`It also has ${again.join(', ')}, the same as above.`);
  return parts.join('\n\n');
}

/** Each has a comment. */
function refuseSilent(title: string, declared: readonly Declared[]): void {
  const silent = declared.filter(({ comment }) => comment === '').map(({ name }) => name);
  if (silent.length > 0) throw new PlainError(`${title}: no comment says what these do: ${silent.join(', ')}.`);
}

const renderDeclared = ({ name, use, comment }: Declared): string => `### ${name}\n\n\`${use}\`\n\n${comment}`;

function renderContext({ name, about }: (typeof CONTEXTS)[number], files: ReadonlyMap<string, string>): string {
  const members = [...files.values()].flatMap((text) => readMembers(text, name) ?? []);
  refuseSilent(name, members);
  const rows = members.map(
    ({ use, comment }) => `| \`${use}\` | ${comment.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')} |`,
  );
  return `## ${name}\n\n${about}\n\n| it has | what it is |\n| --- | --- |\n${rows.join('\n')}`;
}
