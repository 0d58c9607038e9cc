import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the workspace alone needs to know of a package. */
const OURS = new Set(['private', 'scripts', 'devDependencies', 'publishConfig', 'files', 'exports', 'sideEffects']);

/**
 * Writes the package.json that users get, and puts the README and the repository's licence beside it. Its entries are those of the
 * bundle, so none can be forgotten; all else is the package's own manifest.
 *
 * @param {string} dir of the package
 * @param {string} folder that is published
 * @param {import('./settings.d.mts').BundleSettings} settings
 */
export function writeManifest(dir, folder, { entries, bin }) {
  const own = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
  const kept = Object.fromEntries(Object.entries(own).filter(([name]) => !OURS.has(name)));
  const { access, provenance } = own.publishConfig;
  const below = Object.keys(entries).filter((name) => name !== 'index');
  const manifest = {
    ...kept,
    sideEffects: false,
    files: ['dist', 'THIRD-PARTY.md'],
    ...(bin && { bin: Object.fromEntries(Object.entries(bin).map(([name, file]) => [name, `dist/${file}.js`])) }),
    main: './dist/index.cjs',
    module: './dist/index.js',
    types: './dist/index.d.cts',
    // for TypeScript's oldest way of resolving, which knows no exports
    ...(below.length > 0 && {
      typesVersions: { '*': Object.fromEntries(below.map((name) => [name, [`./dist/${name}.d.cts`]])) },
    }),
    exports: {
      '.': conditions('index'),
      ...Object.fromEntries(below.map((name) => [`./${name}`, conditions(name)])),
      './package.json': './package.json',
    },
    publishConfig: { access, provenance },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(join(dir, 'README.md'), join(folder, 'README.md'));
  copyFileSync(join(dir, '../../LICENSE'), join(folder, 'LICENSE'));
}

/** @param {string} name */
function conditions(name) {
  return {
    import: { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` },
    require: { types: `./dist/${name}.d.cts`, default: `./dist/${name}.cjs` },
  };
}
