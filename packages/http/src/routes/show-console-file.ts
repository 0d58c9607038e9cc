import { gunzipSync } from 'node:zlib';
import { ApiError } from '../api-error.js';
import type { Route } from '../api.js';
import { problems } from '../openapi/problems.js';
import type { PageFile } from '../pages/page-file.js';
import { sendFile } from '../pages/send-file.js';

/** Files of this server alone are loaded, nothing in the page itself runs, and no request leaves for elsewhere. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'";

/** `GET /console/{path}`: a file of the console, or its page, which draws the screen that the path names. */
export function showConsoleFile(): Route {
  let page: string | undefined;
  return {
    scope: 'public',
    takesRest: true,
    doc: {
      method: 'get',
      path: '/console/{path}',
      operationId: 'showConsoleFile',
      summary: 'A screen of the console, or a file of it',
      parameters: [{ name: 'path', in: 'path', required: true, schema: { type: 'string' } }],
      responses: {
        200: {
          description: 'The page, a script, a style sheet, a font or a picture.',
          content: Object.fromEntries(
            ['text/html', 'text/javascript', 'text/css', 'text/plain', 'image/svg+xml', 'font/woff2'].map((type) => [
              type,
              { schema: { type: 'string' as const } },
            ]),
          ),
        },
        304: { description: 'The one that the client has.' },
        ...problems('not_found'),
      },
    },
    async handle(c) {
      const path = c.req.path.slice('/console/'.length);
      // half a megabyte that most processes never need
      const { consoleFiles } = await import('../pages/generated/console-files.js');
      const file = consoleFiles.find(({ name }) => name === path);
      if (file !== undefined && path !== 'index.html') return sendFile(c, file, isHashed(path) ? FOREVER : 'no-cache');
      if (isHashed(path)) throw new ApiError('not_found', 'The console has no such file: load its page again.');
      page ??= readPage(consoleFiles);
      c.header('Content-Security-Policy', POLICY);
      return c.html(page.replace('<base href="./"', `<base href="${'../'.repeat(countSlashes(path)) || './'}"`));
    },
  };
}

const FOREVER = 'public, max-age=31536000, immutable';
/** Its name changes with its content. */
const isHashed = (path: string): boolean => path.startsWith('assets/');
const countSlashes = (path: string): number => path.split('/').length - 1;

function readPage(files: readonly PageFile[]): string {
  const { gzip } = files.find(({ name }) => name === 'index.html')!;
  return gunzipSync(Buffer.from(gzip, 'base64')).toString('utf8');
}
