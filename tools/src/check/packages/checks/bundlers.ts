import { join } from 'node:path';
import { build, type Format } from 'esbuild';
import { PlainError } from '../../../../bootstrap/plain-error.mjs';
import type { Check } from '../../../kit/run-packed.js';
import { makeConsumer } from '../make-consumer.js';
import { runCommand } from '../../../kit/run-command.js';

const FORMATS: readonly Format[] = ['esm', 'cjs'];
/** A worker starts files of the package as threads and processes, so the package stays outside of its bundle. */
const OUTSIDE = ['duework', 'duework/*'];

export const bundlers: Check = {
  name: 'bundlers',
  words:
    'esbuild bundles a producer whole, and a worker with duework left outside, to ESM and to CommonJS; a worker that was bundled whole says what to do',
  isQuick: true,
  run: async (lab) => {
    const dir = await makeConsumer(lab, 'bundlers', { files: 'bundlers', needs: ['pg', 'zod'] });
    const bundle = async (name: string, format: Format, external: readonly string[], to = name): Promise<string> => {
      const outfile = join(dir, 'out', `${to}.${format === 'esm' ? 'mjs' : 'cjs'}`);
      await build({
        entryPoints: [join(dir, `${name}.ts`)],
        absWorkingDir: dir,
        bundle: true,
        platform: 'node',
        format,
        external: [...external],
        outfile,
        // a bundled CommonJS library may ask for require
        ...(format === 'esm' && {
          banner: {
            js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
          },
        }),
        logLevel: 'error',
        // the whole worker as CommonJS: it says so when it starts
        logOverride: { 'empty-import-meta': 'silent' },
      });
      return outfile;
    };
    for (const format of FORMATS) {
      await runCommand(process.execPath, [await bundle('producer', format, ['pg-native'])], { cwd: dir });
      await runCommand(process.execPath, [await bundle('worker', format, OUTSIDE)], { cwd: dir });
      const whole = await bundle('whole-worker', format, ['pg-native']);
      const said = await runCommand('sh', ['-c', `"${process.execPath}" "${whole}" 2>&1; echo "code $?"`], {
        cwd: dir,
      });
      if (!/^This worker was bundled whole: .*--external:duework.*\ncode 1\n$/.test(said))
        throw new PlainError(`${said}\nA worker that was bundled whole does not say what to do.`);
    }
    return 'a producer, a worker and a whole worker, to ESM and CommonJS';
  },
};
