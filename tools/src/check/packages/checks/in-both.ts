import { withFreshDatabase } from '../../../kit/with-fresh-database.js';
import { runCommand } from '../../../kit/run-command.js';
import { writeAsCommonJs } from '../as-commonjs.js';
import type { Check } from '../../../kit/run-packed.js';
import { type ConsumerOptions, makeConsumer } from '../make-consumer.js';

/** A program in an empty folder, in ESM and in CommonJS, on a database that the command migrates. */
const inBoth = (
  name: string,
  program: string,
  words: string,
  { packages = [], needs = [] }: Pick<ConsumerOptions, 'packages' | 'needs'>,
): Check => ({
  name,
  words: `${words}; in ESM, and in CommonJS`,
  isQuick: true,
  run: async (lab) => {
    const dir = await makeConsumer(lab, name, {
      files: name,
      packages: ['duework', '@duework/contracts', ...packages],
      needs: ['pg', 'zod', ...needs],
    });
    await writeAsCommonJs(dir, program);
    const use = async (databaseUrl: string): Promise<string> => {
      const env = { DATABASE_URL: databaseUrl };
      await runCommand('node_modules/.bin/duework', ['migrate'], { cwd: dir, env });
      for (const kind of ['mjs', 'cjs']) await runCommand(process.execPath, [`${program}.${kind}`], { cwd: dir, env });
      return 'used in ESM and in CommonJS';
    };
    return withFreshDatabase(use, { isMigrated: false });
  },
});

export const http = inBoth(
  'http',
  'mount',
  '@duework/http in an empty folder: mounted below a path, it is closed to whoever has no key, enqueues a job for who may, and shows its pages',
  { packages: ['@duework/http'] },
);

export const otel = inBoth(
  'otel',
  'traced',
  "@duework/otel in an empty folder, beside duework's own bundle: an enqueue and its attempt have spans that are linked, and an error in them is cleaned",
  { packages: ['@duework/otel'], needs: ['@opentelemetry/api', '@opentelemetry/sdk-trace-node'] },
);

export const client = inBoth(
  'client',
  'ask',
  '@duework/client in an empty folder, on a real API: one job and many are enqueued, one is followed to its end and looked up',
  { packages: ['@duework/http', '@duework/client'] },
);
