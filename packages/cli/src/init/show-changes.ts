import type { Change, PlannedChanges } from './plan-changes.js';

const WORDS: Readonly<Record<Change['kind'], string>> = {
  create: 'new    ',
  edit: 'edited ',
  same: 'there  ',
  keep: 'kept   ',
};

export interface ShowOptions {
  /** Also the lines that each file gets. */
  readonly isWhole: boolean;
  /** Also the files that are as they should be. */
  readonly isVerbose: boolean;
}

/** The files of a plan, a line each. */
export function showChanges({ changes, keptKeys }: PlannedChanges, { isWhole, isVerbose }: ShowOptions): string {
  const shown = changes.filter(({ kind }) => isWhole || isVerbose || kind !== 'same');
  if (shown.length + keptKeys.length === 0) return `All ${changes.length} files are there.\n`;
  const lines = shown.flatMap(({ path, kind, before, after }) => [
    `${WORDS[kind]} ${path}${kind === 'keep' ? ' (it says something else)' : ''}`,
    ...(isWhole && (kind === 'create' || kind === 'edit') ? [...diff(before ?? '', after), ''] : []),
  ]);
  const kept = keptKeys.map((key) => `${WORDS.keep} package.json ${key} (it says something else)`);
  return [...lines, ...kept].map((line) => `${line.trimEnd()}\n`).join('');
}

/**
 * The lines that a file gets and loses, each with its sign. What comes before the first difference and after the last one
 * is left out.
 */
function diff(before: string, after: string): string[] {
  const [old, now] = [toLines(before), toLines(after)];
  let start = 0;
  while (start < old.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  return [
    ...old.slice(start, old.length - end).map((line) => `  - ${line}`),
    ...now.slice(start, now.length - end).map((line) => `  + ${line}`),
  ];
}

const toLines = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
