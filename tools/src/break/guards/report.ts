import Table from 'cli-table3';
import type { Guard } from './guard.js';
import { titleOf } from './judge.js';
import type { Tried } from './try-guards.js';

const HEAD = ['guard', 'where', 'test that goes red'];
const NARROW = /^(packages|apps)\/([^/]+)\/(src\/)?/;
const shorten = (file: string): string =>
  file
    .replace(NARROW, '$2/')
    .replace(/^prisma\/migrations\/\d+_/, 'migration ')
    .replace(/\/migration\.sql$/, '');

function row({ name, says, edits, tests }: Guard): [string, string, string] {
  const files = [...new Set(edits.map(({ file }) => shorten(file)))];
  return [
    `${name}\n${says}`,
    files.join('\n'),
    tests.map((test) => `${titleOf(test)}\n  ${shorten(test.from ?? test.file)}`).join('\n'),
  ];
}

const makeTable = (head: string[]): Table.Table =>
  new Table({
    head,
    style: { head: [], border: [] },
    colWidths: [40, 34, 60, 12].slice(0, head.length),
    wordWrap: true,
  });

/** Prints what there is, and where. */
export function listGuards(guards: readonly Guard[]): void {
  const table = makeTable(HEAD);
  table.push(...guards.map(row));
  process.stdout.write(`${table.toString()}\n`);
}

/** Prints what happened, the table first and what is wrong last; returns the exit code. */
export function reportGuards(results: readonly Tried[]): number {
  const table = makeTable([...HEAD, 'result']);
  for (const { guard, isNoticed, tookMs } of results)
    table.push([...row(guard), `${isNoticed ? 'red' : 'UNNOTICED'}\n${(tookMs / 1000).toFixed(1)} s`]);
  process.stdout.write(`${table.toString()}\n`);
  const unnoticed = results.filter(({ isNoticed }) => !isNoticed);
  for (const { guard, how } of unnoticed) process.stderr.write(`Without ${guard.name}: ${how}\n`);
  process.stdout.write(`${results.length - unnoticed.length} of ${results.length} guards are noticed when they go.\n`);
  return unnoticed.length === 0 ? 0 : 1;
}
