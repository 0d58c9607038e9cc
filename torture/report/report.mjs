import { cpSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root, stateDir } from '../../scripts/lib/paths.mjs';
import { checks } from '../checks/index.mjs';
import { summarise } from './summarise.mjs';

const Table = createRequire(join(root, 'package.json'))('cli-table3');

/** Of each promise that was broken so many examples are told. */
const EXAMPLES = 5;

/** Prints what became of each promise, writes what was asked for, and returns the exit code: 1 when one was broken. */
export async function report(run) {
  const verdicts = checks.map(({ promise, isFigure = false, check }) => ({
    promise,
    isJudged: !(isFigure && run.options.isQuick),
    ...check(run),
  }));
  const table = new Table({
    head: ['promise', 'looked at', 'broken', ''],
    style: { head: [], border: [] },
    wordWrap: true,
    colWidths: [46, 11, 8, 60],
  });
  for (const { promise, counted, broken, remark = '' } of verdicts)
    table.push([promise, counted, broken.length, remark]);
  process.stdout.write(`${table}\n`);
  for (const { fault, why } of run.missing) process.stdout.write(`not tested: ${fault.title} (${why})\n`);
  for (const { problem, fault } of run.events.filter(({ kind }) => kind === 'fault.failed'))
    process.stdout.write(`${fault} could not be done to its end: ${problem}\n`);
  for (const { promise, isJudged, broken } of verdicts) {
    if (broken.length === 0) continue;
    process.stdout.write(
      `\n${isJudged ? 'BROKEN' : 'Not reached here'}: ${promise}\n${broken
        .slice(0, EXAMPLES)
        .map((line) => `  ${line}\n`)
        .join('')}${broken.length > EXAMPLES ? `  … and ${broken.length - EXAMPLES} more\n` : ''}`,
    );
  }
  const summary = summarise(run, verdicts);
  if (run.options.json !== undefined) writeFileSync(run.options.json, `${JSON.stringify(summary, null, 1)}\n`);
  if (run.options.svg !== undefined) {
    const { drawTimeline } = await import('./draw-timeline.mjs');
    writeFileSync(run.options.svg, await drawTimeline(summary));
  }
  const isBroken = verdicts.some(({ isJudged, broken }) => isJudged && broken.length > 0);
  if (isBroken || run.options.isKept) {
    const kept = join(stateDir, 'torture');
    cpSync(run.dir, kept, { recursive: true });
    process.stdout.write(`\nThe history is in ${kept}.\n`);
  }
  if (isBroken) process.stdout.write(`Again: npm run torture -- ${repeatOptions(run.options)}\n`);
  return isBroken ? 1 : 0;
}

function repeatOptions({ seed, isQuick, isSoak, maxMs, workers, perSecond, faults }) {
  return [
    isQuick ? '--quick' : isSoak ? '--soak' : '',
    isQuick ? '' : `--minutes ${maxMs / 60_000}`,
    `--seed ${seed} --workers ${workers} --rate ${perSecond}`,
    `--faults ${faults.join(',')}`,
  ]
    .filter(Boolean)
    .join(' ');
}
