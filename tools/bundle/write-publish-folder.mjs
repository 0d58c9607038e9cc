import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is for the workspace alone. */
const OURS = ['private', 'scripts', 'devDependencies', 'publishConfig', 'files', 'exports', 'sideEffects'];

/**
 * Writes the manifest, the README and the licence of a package that is published from a folder of its own. The bundle is
 * in its `dist`, and has one entry, `index`.
 *
 * @param {string} dir of the package
 * @param {string} folder that is published
 */
export function writePublishFolder(dir, folder) {
  const own = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
  const kept = Object.fromEntries(Object.entries(own).filter(([name]) => !OURS.includes(name)));
  const { access, provenance } = own.publishConfig;
  const manifest = {
    ...kept,
    sideEffects: false,
    files: ['dist'],
    main: './dist/index.cjs',
    module: './dist/index.js',
    types: './dist/index.d.cts',
    exports: {
      '.': {
        import: { types: './dist/index.d.ts', default: './dist/index.js' },
        require: { types: './dist/index.d.cts', default: './dist/index.cjs' },
      },
      './package.json': './package.json',
    },
    publishConfig: { access, provenance },
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const file of ['README.md', 'LICENSE']) copyFileSync(join(dir, file), join(folder, file));
}
