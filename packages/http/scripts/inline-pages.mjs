/**
 * Writes the files of Swagger UI and of the console into modules, src/pages/generated/*.ts, compressed: so they are there
 * wherever the code is, in a bundle of Next.js too, and nobody who installs the package installs anything for them.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

// by the tools: a start installs no package's dependencies for development
const require = createRequire(new URL('../../../tools/package.json', import.meta.url));
const folderOf = (name) => dirname(require.resolve(`${name}/package.json`));
const target = fileURLToPath(new URL('../src/pages/generated', import.meta.url));

const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.md': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

function toFile(name, content) {
  const type = TYPES[extname(name)];
  if (type === undefined) throw new Error(`${name}: no media type is known for it. Add it to TYPES.`);
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
  return { name, type, etag, gzip: gzipSync(content, { level: 9 }).toString('base64') };
}

function writeModule(name, variable, from, files) {
  writeFileSync(
    join(target, name),
    `// Generated from ${from} by scripts/inline-pages.mjs.
import type { PageFile } from '../page-file.js';

export const ${variable}: readonly PageFile[] = ${JSON.stringify(files, null, 2)};
`,
  );
}

function listSwagger() {
  const folder = folderOf('swagger-ui-dist');
  // its maps are not served
  const read = (name) => readFileSync(join(folder, name), 'utf8').replace(/\n?(\/\/|\/\*)# sourceMappingURL=.*$/s, '');
  return [
    ...['swagger-ui.css', 'swagger-ui-bundle.js'].map((name) => toFile(name, read(name))),
    // the texts that go with it wherever it goes, whose names are capitals
    ...readdirSync(folder)
      .filter((name) => /^[A-Z]+$/.test(name))
      .map((name) => toFile(`${name}.txt`, read(name))),
  ];
}

function listConsole() {
  const folder = join(folderOf('@duework/console'), 'dist');
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
    .map((path) => toFile(relative(folder, path).replaceAll(sep, '/'), readFileSync(path)));
}

mkdirSync(target, { recursive: true });
writeModule('docs-files.ts', 'docsFiles', 'swagger-ui-dist', listSwagger());
writeModule('console-files.ts', 'consoleFiles', 'apps/console', listConsole());
