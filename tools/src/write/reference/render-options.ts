import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';

export interface Option {
  readonly name: string;
  /** As it is written in code; null: it has to be given, or has none. */
  readonly default: string | null;
  readonly isRequired: boolean;
  readonly meaning: string;
}

interface Table {
  readonly title: string;
  readonly about: string;
  readonly file: string;
  readonly name: string;
}

const tables: readonly Table[] = [
  {
    title: 'A contract: defineJob',
    about: 'A worker registers them with the contract; a deploy changes them.',
    file: 'packages/contracts/src/job-options.ts',
    name: 'JobOptions',
  },
  {
    title: 'Its limits, rates and order',
    about: 'How to use them: [limits, rates, order, fairness](../how-to/flow-control.md).',
    file: 'packages/contracts/src/flow/flow-options.ts',
    name: 'FlowOptions',
  },
  {
    title: 'One job: enqueue',
    about: 'The last argument of `enqueue`, `jobRequest` and `queue.enqueue`.',
    file: 'packages/queue-core/src/enqueue/job-request.ts',
    name: 'EnqueueOptions',
  },
  {
    title: 'A worker: runWorker',
    about: 'Its settings, such as `concurrency`, are [variables](variables.md), too.',
    file: 'packages/worker/src/run-worker-options.ts',
    name: 'RunWorkerOptions',
  },
];

const HEAD = `# Options and their defaults

Written by \`npm run write -- reference\` from the comments of the types, which your editor shows as well.`;

/** docs/look-up/options.md, before it is formatted. */
export function renderOptions(): string {
  return `${[HEAD, ...tables.map(renderTable)].join('\n\n')}\n`;
}

function renderTable({ title, about, file, name }: Table): string {
  const options = readOptions(readFileSync(join(root, file), 'utf8'), name);
  const rows = options.map(
    (option) => `| \`${option.name}\` | ${tellDefault(option)} | ${option.meaning.replaceAll('|', '\\|')} |`,
  );
  return `## ${title}\n\n${about}\n\n| option | default | meaning |\n| --- | --- | --- |\n${rows.join('\n')}`;
}

const tellDefault = (option: Option): string => option.default ?? (option.isRequired ? 'must be given' : 'none');

/** The options of an interface, in their order, out of its comments. */
export function readOptions(source: string, name: string): Option[] {
  const body = new RegExp(String.raw`interface ${name}\b[\s\S]*?\{\n([\s\S]*?)\n\}`).exec(source)?.[1];
  if (body === undefined) throw new Error(`There is no interface ${name}.`);
  return [...body.matchAll(/^ {2}(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2})?readonly (\w+)(\??):/gm)].map(
    ([, comment = '', option = '', optional]) => ({
      name: option,
      isRequired: optional === '',
      ...splitDefault(comment.replaceAll(/\s*\n\s*\*?\s*/g, ' ').trim()),
    }),
  );
}

/** Takes the default out of a comment: `…; default 10.`, `Default: true.`, or the value that is marked `(default)`. */
function splitDefault(comment: string): Pick<Option, 'default' | 'meaning'> {
  const marked = /(`[^`]+`) \(default\)/.exec(comment)?.[1];
  if (marked !== undefined) return { default: marked, meaning: comment };
  const said = /(?:^|[;.,]? +)[Dd]efault(?: and maximum)?:? ((?:`[^`]*`|[^.;]|\.(?=\d))+)[.;]?/.exec(comment);
  if (said === null) return { default: null, meaning: comment };
  const before = comment.slice(0, said.index).trim();
  const after = comment.slice(said.index + said[0].length).trim();
  const meaning = [before.replace(/[^.…]$/, '$&.'), after.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())];
  return { default: said[1]!.trim(), meaning: meaning.filter((part) => part !== '').join(' ') };
}
