/**
 * `npm run check:model`: looks at every order in which two workers, a rescuer, an operator and time can act on one run, by the
 * model in model/lease.pml: nothing the product promises of a lease may break, and each known mistake has to break something.
 *
 * Needs spin and a C compiler (apt-get install spin gcc), and is therefore no test of the suite.
 */
import { checkNode } from './lib/check-node.mjs';

checkNode();

const CASES = [
  { title: 'as it is: one owner at a time, one end, a fence that only grows', defines: [], isSafe: true },
  { title: 'as it is: every run ends, whatever happens', defines: [], isLiveness: true, isSafe: true },
  { title: 'a settlement without the fence', defines: ['NO_FENCE'], isSafe: false },
  { title: 'attempts for a fence', defines: ['ATTEMPTS_AS_FENCE'], isSafe: false },
  { title: 'a rescue that does not look again', defines: ['NO_RECHECK'], isSafe: false },
];

async function main() {
  const { execFileSync } = await import('node:child_process');
  const { mkdtempSync, rmSync } = await import('node:fs');
  const { tmpdir } = await import('node:os');
  const { join } = await import('node:path');
  const { root } = await import('./lib/paths.mjs');
  const { PlainError } = await import('./lib/plain-error.mjs');
  const { runMain } = await import('./lib/run-main.mjs');

  const run = (dir, program, given) => {
    try {
      return execFileSync(program, given, { cwd: dir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    } catch (error) {
      if (error.code === 'ENOENT') throw new PlainError(`${program} is missing: apt-get install spin gcc`);
      throw new PlainError(`${program} ${given.join(' ')} failed:\n${error.stdout}${error.stderr}`);
    }
  };

  /** What spin found: how many errors, in how many states, and the assertion that broke. */
  const verify = ({ defines, isLiveness = false }) => {
    const dir = mkdtempSync(join(tmpdir(), 'duework-model-'));
    try {
      run(dir, 'spin', [...defines.map((name) => `-D${name}`), '-a', join(root, 'model/lease.pml')]);
      run(dir, 'cc', ['-O2', ...(isLiveness ? [] : ['-DSAFETY', '-DNOCLAIM']), '-o', 'pan', 'pan.c']);
      const said = run(dir, join(dir, 'pan'), ['-m1000000', ...(isLiveness ? ['-a', '-f'] : [])]);
      const [, errors] = /errors: (\d+)/.exec(said) ?? [];
      const [, states] = /(\d+) states, stored/.exec(said) ?? [];
      // what it did not look at it cannot promise
      if (errors === undefined || states === undefined || said.includes('max search depth too small'))
        throw new PlainError(`spin did not finish:\n${said}`);
      return {
        isSafe: errors === '0',
        states: Number(states),
        broken: /assertion violated (.*) \(at depth/.exec(said)?.[1] ?? null,
      };
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  };

  await runMain(() => {
    let wrong = 0;
    for (const expected of CASES) {
      const found = verify(expected);
      const isRight = found.isSafe === expected.isSafe;
      if (!isRight) wrong++;
      const how = found.isSafe ? `holds in all ${found.states} states` : `breaks ${found.broken ?? 'a promise'}`;
      process.stdout.write(`${isRight ? 'ok   ' : 'WRONG'} ${expected.title}: ${how}\n`);
    }
    return wrong === 0 ? 0 : 1;
  });
}

void main();
