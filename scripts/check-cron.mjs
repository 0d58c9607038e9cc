/**
 * `npm run check:cron`: the recipe for cron, proved on a real cron daemon. Two entries wake a worker in the same minute, for
 * two minutes and more; each slot of a schedule has to fire once, and its job to succeed.
 *
 * Needs root and Debian's cron (apt-get install cron), and is therefore no test of the suite: run it by hand, or where
 * cron can be installed. It brings its own PostgreSQL, its own crontab file and, where none runs, its own daemon, and
 * removes all of them.
 */
import { checkNode } from './lib/check-node.mjs';

checkNode();

async function main() {
  const { runMain } = await import('./lib/run-main.mjs');
  const { ensureInstalled } = await import('./lib/ensure-installed.mjs');
  const { runTurbo } = await import('./lib/run-turbo.mjs');
  const { withFreshDatabase } = await import('./lib/with-fresh-database.mjs');
  const { proveCron } = await import('./cron/prove-cron.mjs');
  await runMain(async () => {
    const { pnpmDir } = await ensureInstalled();
    await runTurbo({ task: 'build', label: 'Building', pnpmDir });
    await withFreshDatabase(proveCron);
    return 0;
  });
}

void main();
