import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Table from 'cli-table3';
import { stateDir } from '../../../../bootstrap/paths.mjs';
import { faults as allFaults } from '../faults/index.js';
import { ofKind } from '../observer/history-events.js';
import type { GivenOptions } from '../read-options.js';
import type { TortureRun } from '../run-torture.js';
import { judge, type Judgement } from './judge.js';

/** The number of examples that are printed for each broken promise. */
const EXAMPLES = 5;

/**
 * Prints the judgement of each promise.
 *
 * @returns the exit code: 1 when a promise was broken, or a full run had to judge it and could not
 */
export function report(run: TortureRun): number {
  const judgements = judge(run);
  process.stdout.write(`${drawTable(judgements)}\n`);
  for (const { fault, why } of run.missing) process.stdout.write(`Not done: ${fault.title} (${why}).\n`);
  for (const { problem, fault } of ofKind(run.events, 'fault.failed'))
    process.stdout.write(`${fault} could not be done to its end: ${problem}\n`);
  for (const judgement of judgements) process.stdout.write(describe(judgement));

  const { keep } = run.options.given;
  const hasFailed = judgements.some(({ isFailure }) => isFailure);
  if (hasFailed || keep) {
    const kept = join(stateDir, 'torture');
    // must not mix with files of an earlier run
    rmSync(kept, { recursive: true, force: true });
    cpSync(run.dir, kept, { recursive: true });
    process.stdout.write(`\nThe history is in ${kept}.\n`);
  }
  if (hasFailed)
    process.stdout.write(`Again: npm run break -- torture ${repeatOptions(run.options.given, run.options.seed)}\n`);
  return hasFailed ? 1 : 0;
}

function drawTable(judgements: readonly Judgement[]): string {
  const table = new Table({
    head: ['promise', 'judged', 'broken', ''],
    style: { head: [], border: [] },
    wordWrap: true,
    colWidths: [46, 11, 8, 60],
  });
  for (const { promise, counted, broken, remark = '' } of judgements)
    table.push([promise, counted, broken.length, remark]);
  return table.toString();
}

/** The lines about a promise below its line in the table; none for a kept one. */
function describe({ promise, state, broken, needs, remark = '' }: Judgement): string {
  const examples = broken.slice(0, EXAMPLES).map((line) => `  ${line}\n`);
  const rest = broken.length - examples.length;
  const lines = `${examples.join('')}${rest > 0 ? `  … and ${rest} more\n` : ''}`;
  const why = remark === '' ? '' : ` (${remark})`;
  switch (state) {
    case 'kept':
      return '';
    case 'broken':
      return `\nBROKEN: ${promise}\n${lines}`;
    case 'told':
      return `\nTold, not judged here: ${promise}\n${lines}`;
    case 'unjudged':
      return `\nNOT JUDGED: ${promise}\n  This run was to judge it, and there was not one case${why}.\n`;
    case 'not due':
      return `\nNot for this run to judge: ${promise}\n  It takes ${typeof needs === 'string' ? needs : needs.join(' or ')}.\n`;
  }
}

/** The command line that does the same again, from the same seed. */
function repeatOptions(given: GivenOptions, seed: number): string {
  const { minutes, faults, workers, rate, client, pgbouncer, quick, soak } = given;
  return [
    quick ? '--quick' : soak ? '--soak' : '',
    minutes === undefined ? '' : `--minutes ${minutes}`,
    `--seed ${seed} --workers ${workers} --client ${client}`,
    rate === undefined ? '' : `--rate ${rate}`,
    pgbouncer === undefined ? '' : pgbouncer ? '--pgbouncer' : '--no-pgbouncer',
    faults.length === allFaults.length ? '' : `--faults ${faults.join(',')}`,
  ]
    .filter(Boolean)
    .join(' ');
}
