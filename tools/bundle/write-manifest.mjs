import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readRanges } from './read-ranges.mjs';

/** What the workspace alone needs to know of a package. */
const OURS = new Set(['private', 'scripts', 'devDependencies', 'publishConfig', 'files', 'exports', 'sideEffects']);

/**
 * Writes the package.json that users get, and puts the README, the changelog and the repository's licence beside it. Its
 * entries are those of the bundle, so none can be forgotten; all else is the package's own manifest.
 *
 * @param {string} dir of the package
 * @param {string} folder that is published
 * @param {import('./settings.d.mts').BundleSettings} settings
 */
export function writeManifest(dir, folder, { entries, bin, copied = [] }) {
  const own = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
  const kept = Object.fromEntries(Object.entries(own).filter(([name]) => !OURS.has(name)));
  const { access, provenance } = own.publishConfig;
  for (const file of ['README.md', 'CHANGELOG.md', '../../LICENSE'].map((name) => join(dir, name)))
    if (existsSync(file)) copyFileSync(file, join(folder, basename(file)));
  const told = ['CHANGELOG.md', 'THIRD-PARTY.md'].filter((name) => existsSync(join(folder, name)));
  const manifest = {
    ...kept,
    ...(own.dependencies && { dependencies: readRanges(own.dependencies) }),
    ...(own.peerDependencies && { peerDependencies: nameVersions(own.peerDependencies, own.version) }),
    sideEffects: false,
    files: ['dist', ...copied, ...told],
    ...(bin && { bin: Object.fromEntries(Object.entries(bin).map(([name, file]) => [name, `dist/${file}.js`])) }),
    ...describeEntries(Object.keys(entries)),
    publishConfig: { access, provenance },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/**
 * What users bring; of a package of this repository the same version, because all have one.
 *
 * @param {Record<string, string>} peers
 * @param {string} version
 */
function nameVersions(peers, version) {
  return Object.fromEntries(
    Object.entries(peers).map(([name, range]) => [name, range.startsWith('workspace:') ? `^${version}` : range]),
  );
}

/**
 * How entries are found; nothing where a package is a command alone.
 *
 * @param {readonly string[]} names
 */
function describeEntries(names) {
  if (names.length === 0) return {};
  const below = names.filter((name) => name !== 'index');
  return {
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
  };
}

/** @param {string} name */
function conditions(name) {
  return {
    import: { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` },
    require: { types: `./dist/${name}.d.cts`, default: `./dist/${name}.cjs` },
  };
}
