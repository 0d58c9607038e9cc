import { makeConsumer } from '../make-consumer.js';
import { runCommand } from '../../../kit/run-command.js';
import { withFreshDatabase } from '../../../kit/with-fresh-database.js';
import type { Check } from '../lab.js';

export const http: Check = {
  name: 'http',
  words:
    '@duework/http in an empty folder: mounted below a path, it is closed to whoever has no key, enqueues a job for who may, and shows its pages; in ESM, and in CommonJS',
  isQuick: true,
  run: async (lab) => {
    const dir = await makeConsumer(lab, 'http', {
      files: 'http',
      packages: ['duework', '@duework/contracts', '@duework/http'],
      needs: ['pg', 'zod'],
    });
    const mount = async (databaseUrl: string): Promise<string> => {
      const env = { DATABASE_URL: databaseUrl };
      await runCommand('node_modules/.bin/duework', ['migrate'], { cwd: dir, env });
      for (const file of ['mount.mjs', 'mount.cjs']) await runCommand(process.execPath, [file], { cwd: dir, env });
      return 'mounted in ESM and in CommonJS';
    };
    return withFreshDatabase(mount, { isMigrated: false });
  },
};
