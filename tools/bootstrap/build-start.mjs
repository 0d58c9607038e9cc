/**
 * Builds what `npm start` runs, and nothing else: types are taken off file by file, without looking at them, and there
 * are no declarations and no bundles. `npm run build` makes the same JavaScript with TypeScript, and all the rest.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { listGenerated, listSources } from './list-sources.mjs';
import { root } from './paths.mjs';
import { PlainError } from './plain-error.mjs';
import { listStarted, readWorkspace } from './read-workspace.mjs';
import { runLogged } from './run-logged.mjs';

/** The only folders of the tools that a start runs. */
const TOOLS = ['tools/src/kit', 'tools/src/develop/start', 'tools/src/develop/migrate'];

const isNoTest = (/** @type {string} */ file) => !file.includes('/testing/');

/** @returns {readonly string[]} every file that the build of the start reads */
export const listStartInputs = () =>
  [
    ...listStarted().flatMap(({ folder }) => (folder === 'tools' ? [] : listSources(folder))),
    ...[...TOOLS, 'tools/bootstrap', 'prisma'].flatMap(listSources),
  ].filter((file) => !file.endsWith('.md'));

/** @returns {Promise<number>} how many files it has built */
export async function buildStart() {
  const started = listStarted().filter(({ folder }) => folder !== 'tools' && folder !== 'apps/console');
  const transpile = await loadTranspiler();
  const sourcesOf = (/** @type {typeof started} */ packages) =>
    packages.flatMap(({ folder }) => listSources(`${folder}/src`));
  // Vite reads what the console imports of the workspace as built
  const isOfConsole = (/** @type {{ name: string }} */ { name }) =>
    readWorkspace().get('@duework/console')?.needs.includes(name) === true;
  const ofConsole = await transpile(sourcesOf(started.filter(isOfConsole)));
  const built = await Promise.all([
    transpile([
      ...sourcesOf(started.filter((each) => !isOfConsole(each))),
      ...TOOLS.flatMap(listSources).filter(isNoTest),
    ]),
    ...started
      .filter(({ generates }) => generates.length > 0)
      .map(async (each) => {
        // its pages hold the console
        if (each.name === '@duework/http') await buildConsole();
        await generate(each);
        return transpile(listGenerated(join(each.folder, 'src')));
      }),
  ]);
  return built.reduce((sum, files) => sum + files, ofConsole + copyBootstrap());
}

/** @param {import('./read-workspace.mjs').WorkspacePackage} each */
async function generate({ folder, generates }) {
  for (const script of generates) await runNode(basename(script, '.mjs'), [join(root, folder, script)]);
}

function buildConsole() {
  const folder = join(root, 'apps/console');
  const vite = dirname(createRequire(join(folder, 'package.json')).resolve('vite/package.json'));
  return runNode('build-console', [join(vite, 'bin/vite.js'), 'build', folder]);
}

/** @param {string} name @param {string[]} args */
const runNode = (name, args) => runLogged({ name, command: process.execPath, args });

/** @returns {Promise<(files: readonly string[]) => Promise<number>>} */
async function loadTranspiler() {
  // what builds the console takes types off, too
  const vite = createRequire(join(root, 'apps/console/package.json')).resolve('vite');
  const { transformWithOxc } = await import(pathToFileURL(vite).href);
  return async (files) => {
    const sources = files.filter((file) => /(?<!\.d)\.ts$/.test(file));
    for (const file of sources) {
      const target = join(
        root,
        file.replace(/^(tools|[^/]+\/[^/]+)\/src\//, file.startsWith('tools/') ? 'tools/dist/src/' : '$1/dist/'),
      );
      const output = target.replace(/\.ts$/, '.js');
      const { code, map } = await transformWithOxc(readFileSync(join(root, file), 'utf8'), join(root, file), {
        lang: 'ts',
        target: 'esnext',
        sourcemap: true,
      });
      // such as for </script> in a tagged template
      if (code.includes('@oxc-project/runtime')) throw new PlainError(`${file} would need a helper of the transpiler.`);
      mkdirSync(dirname(output), { recursive: true });
      map.sources = [relative(dirname(output), join(root, file))];
      writeFileSync(`${output}.map`, JSON.stringify({ ...map, sourcesContent: undefined }));
      writeFileSync(output, `${code}\n//# sourceMappingURL=${basename(output)}.map\n`);
    }
    return sources.length;
  };
}

/** The bootstrap is JavaScript already; built tools look for it beside them. */
function copyBootstrap() {
  const files = listSources('tools/bootstrap');
  mkdirSync(join(root, 'tools/dist/bootstrap'), { recursive: true });
  for (const file of files) copyFileSync(join(root, file), join(root, 'tools/dist/bootstrap', basename(file)));
  return files.length;
}
