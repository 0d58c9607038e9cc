/** `npm run check -- deploy`: proves that the worker and the API run from folders of their own, made by `pnpm deploy`. */
import { ensurePnpm } from '../../../bootstrap/ensure-pnpm.mjs';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { withFreshDatabase } from '../../kit/with-fresh-database.js';
import { services } from '../../develop/start/settings.js';
import { proveDeploy } from './prove-deploy.js';

const DEPLOYED = ['worker', 'api'];

const program = createProgram(
  'check deploy',
  'Deploys the worker and the API into folders of their own, migrates from there, starts and stops them.',
);

await runProgram(program, async () => {
  const pnpmDir = await ensurePnpm();
  await withFreshDatabase(
    async (databaseUrl) => {
      for (const service of services.filter(({ name }) => DEPLOYED.includes(name))) {
        await proveDeploy(service, { pnpmDir, databaseUrl });
        process.stdout.write(`The ${service.name} runs from a folder of its own.\n`);
      }
    },
    { isMigrated: false },
  );
});
