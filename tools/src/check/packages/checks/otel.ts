import { makeConsumer } from '../make-consumer.js';
import { runCommand } from '../../../kit/run-command.js';
import { withFreshDatabase } from '../../../kit/with-fresh-database.js';
import type { Check } from '../lab.js';

export const otel: Check = {
  name: 'otel',
  words:
    "@duework/otel in an empty folder, beside duework's own bundle: an enqueue and its attempt have spans that are linked, and an error in them is cleaned; in ESM, and in CommonJS",
  isQuick: true,
  run: async (lab) => {
    const dir = await makeConsumer(lab, 'otel', {
      files: 'otel',
      packages: ['duework', '@duework/contracts', '@duework/otel'],
      needs: ['@opentelemetry/api', '@opentelemetry/sdk-trace-node', 'pg', 'zod'],
    });
    const trace = async (databaseUrl: string): Promise<string> => {
      const env = { DATABASE_URL: databaseUrl };
      await runCommand('node_modules/.bin/duework', ['migrate'], { cwd: dir, env });
      for (const file of ['traced.mjs', 'traced.cjs']) await runCommand(process.execPath, [file], { cwd: dir, env });
      return 'traced in ESM and in CommonJS';
    };
    return withFreshDatabase(trace, { isMigrated: false });
  },
};
