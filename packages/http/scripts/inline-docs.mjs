/**
 * Writes the files of Swagger UI into a module, src/pages/generated/docs-files.ts, compressed: so they are there wherever
 * the code is, in a bundle of Next.js too, and nobody who installs the package installs anything for them.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const own = fileURLToPath(new URL('../src/pages', import.meta.url));
const target = join(own, 'generated');

const files = [
  ['swagger-ui.css', 'text/css; charset=utf-8', join(folder, 'swagger-ui.css')],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8', join(folder, 'swagger-ui-bundle.js')],
  // the texts that go with it wherever it goes, whose names are capitals
  ...readdirSync(folder)
    .filter((name) => /^[A-Z]+$/.test(name))
    .map((name) => [`${name}.txt`, 'text/plain; charset=utf-8', join(folder, name)]),
].map(([name, type, path]) => {
  // its maps are not served
  const content = readFileSync(path, 'utf8').replace(/\n?(\/\/|\/\*)# sourceMappingURL=.*$/s, '');
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
  return { name, type, etag, gzip: gzipSync(content, { level: 9 }).toString('base64') };
});

mkdirSync(target, { recursive: true });
writeFileSync(
  join(target, 'docs-files.ts'),
  `// Generated from swagger-ui-dist by scripts/inline-docs.mjs.
import type { DocsFile } from '../docs-file.js';

export const docsFiles: readonly DocsFile[] = ${JSON.stringify(files, null, 2)};
`,
);
