/**
 * Generates the Prisma client into src/generated.
 *
 * Every `prisma` command first wants a native schema engine and downloads it. Generating needs none: any executable
 * will do, and the one that is certainly there is Node itself.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
// by the tools: a start installs no package's dependencies for development
const prisma = createRequire(join(root, 'tools/package.json')).resolve('prisma/build/index.js');

const withoutStudio = fileURLToPath(new URL('without-studio.cjs', import.meta.url));
const generate = [prisma, 'generate', '--schema', 'prisma/schema.prisma', '--no-hints'];

const result = spawnSync(process.execPath, ['--require', withoutStudio, ...generate], {
  cwd: root,
  encoding: 'utf8',
  env: {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  },
});

if (result.status !== 0) {
  process.stderr.write(
    `prisma generate failed\n${result.error?.message ?? ''}${result.stdout ?? ''}${result.stderr ?? ''}`,
  );
  process.exit(1);
}
