import { PlainError } from '../../../bootstrap/plain-error.mjs';
import { showProgress } from '../../../bootstrap/show-progress.mjs';
import { buildChanged, restoreBuild } from './build-changed.js';
import type { Guard } from './guard.js';
import { findNotGreen, type Judgement, judgeRed } from './judge.js';
import { removeGuard } from './remove-guard.js';
import { runTests } from './run-tests.js';

export interface Tried extends Judgement {
  readonly guard: Guard;
  readonly tookMs: number;
}

/**
 * Takes out one guard after the other, in the copy `dir`, and says of each whether its tests go red.
 *
 * @throws PlainError when a guard is not where it is said to be, or a test is red while every guard is there
 */
export async function tryGuards(guards: readonly Guard[], dir: string, databaseUrl: string): Promise<Tried[]> {
  // all of them before the first one is tried
  for (const guard of guards) removeGuard(dir, guard)();
  const tests = guards.flatMap((guard) => guard.tests);
  const green = await showProgress(`${tests.length} tests as they are`, () => runTests(dir, tests, databaseUrl));
  const wrong = findNotGreen(green, tests);
  if (wrong !== null) throw new PlainError(`With every guard in its place a test is not green: ${wrong}`);

  const results: Tried[] = [];
  for (const [index, guard] of guards.entries()) {
    const begun = Date.now();
    const result = await showProgress(`${index + 1}/${guards.length} without ${guard.name}`, () =>
      tryOne(guard, dir, databaseUrl),
    );
    results.push({ guard, ...result, tookMs: Date.now() - begun });
  }
  return results;
}

async function tryOne(guard: Guard, dir: string, databaseUrl: string): Promise<Judgement> {
  const restore = removeGuard(dir, guard);
  try {
    await buildChanged(dir, guard);
    return judgeRed(await runTests(dir, guard.tests, databaseUrl), guard);
  } catch (error) {
    // what cannot be built or run says nothing of its test, and is no reason to leave out the other guards
    if (error instanceof PlainError) return { isNoticed: false, how: error.message };
    throw error;
  } finally {
    restore();
    restoreBuild(dir, guard);
  }
}
