import { makeConsumer } from '../make-consumer.js';
import { runCommand } from '../../../kit/run-command.js';
import { withFreshDatabase } from '../../../kit/with-fresh-database.js';
import type { Check } from '../lab.js';

export const client: Check = {
  name: 'client',
  words:
    '@duework/client in an empty folder, on a real API: one job and many are enqueued, one is followed to its end and looked up; in ESM, and in CommonJS',
  isQuick: true,
  run: async (lab) => {
    const dir = await makeConsumer(lab, 'client', {
      files: 'client',
      packages: ['duework', '@duework/contracts', '@duework/http', '@duework/client'],
      needs: ['pg', 'zod'],
    });
    const ask = async (databaseUrl: string): Promise<string> => {
      const env = { DATABASE_URL: databaseUrl };
      await runCommand('node_modules/.bin/duework', ['migrate'], { cwd: dir, env });
      for (const file of ['ask.mjs', 'ask.cjs']) await runCommand(process.execPath, [file], { cwd: dir, env });
      return 'asked in ESM and in CommonJS';
    };
    return withFreshDatabase(ask, { isMigrated: false });
  },
};
