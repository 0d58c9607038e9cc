import { PlainError } from '../lib/plain-error.mjs';
import { showProgress } from '../lib/show-progress.mjs';
import { buildChanged, restoreBuild } from './build-changed.mjs';
import { findNotGreen, judgeRed } from './judge.mjs';
import { removeGuard } from './remove-guard.mjs';
import { runTests } from './run-tests.mjs';

/**
 * Takes out one guard after the other, in a copy, and says of each whether its tests notice.
 *
 * @returns {Promise<{ guard: object, isNoticed: boolean, how: string, tookMs: number }[]>}
 */
export async function tryGuards(guards, dir, databaseUrl) {
  // all of them before the first one is tried
  for (const guard of guards) removeGuard(dir, guard)();
  const tests = guards.flatMap((guard) => guard.tests);
  const green = await showProgress(`${tests.length} tests as they are`, () => runTests(dir, tests, databaseUrl));
  const wrong = findNotGreen(green, tests);
  if (wrong !== null) throw new PlainError(`With every guard in its place a test is not green: ${wrong}`);

  const results = [];
  for (const [index, guard] of guards.entries()) {
    const begun = Date.now();
    const result = await showProgress(`${index + 1}/${guards.length} without ${guard.name}`, () =>
      tryOne(guard, dir, databaseUrl),
    );
    results.push({ guard, ...result, tookMs: Date.now() - begun });
  }
  return results;
}

async function tryOne(guard, dir, databaseUrl) {
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
