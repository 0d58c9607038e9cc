/** `npm run check:deploy`: the worker and the API run from folders of their own, made by `pnpm deploy`. */
import { checkNode } from './lib/check-node.mjs';

checkNode();

async function main() {
  const { runMain } = await import('./lib/run-main.mjs');
  const { ensureInstalled } = await import('./lib/ensure-installed.mjs');
  const { runTurbo } = await import('./lib/run-turbo.mjs');
  const { withFreshDatabase } = await import('./lib/with-fresh-database.mjs');
  const { proveDeploy } = await import('./deploy/prove-deploy.mjs');
  const { services } = await import('./start/settings.mjs');

  await runMain(async () => {
    const { pnpmDir } = await ensureInstalled();
    await runTurbo({ task: 'build', label: 'Building', pnpmDir });
    await withFreshDatabase(
      async (databaseUrl) => {
        for (const name of ['worker', 'api']) {
          await proveDeploy(
            services.find((service) => service.name === name),
            { pnpmDir, databaseUrl },
          );
          process.stdout.write(`The ${name} runs from a folder of its own.\n`);
        }
      },
      { isMigrated: false },
    );
  });
}

void main();
