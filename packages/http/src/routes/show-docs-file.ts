import { gunzipSync } from 'node:zlib';
import { ApiError } from '../api-error.js';
import type { ApiContext, Route } from '../api.js';
import { problems } from '../openapi/problems.js';
import type { DocsFile } from '../pages/docs-file.js';
import { START_DOCS } from '../pages/start-docs.js';

/** `GET /docs/{file}`: what the page at `/docs` loads. */
export function showDocsFile(): Route {
  return {
    scope: 'public',
    doc: {
      method: 'get',
      path: '/docs/{file}',
      operationId: 'showDocsFile',
      summary: 'A file of the page',
      parameters: [{ name: 'file', in: 'path', required: true, schema: { type: 'string' } }],
      responses: {
        200: {
          description: 'A script, a style sheet or a licence.',
          content: Object.fromEntries(
            ['text/javascript', 'text/css', 'text/plain'].map((type) => [
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
      const name = c.req.param('file') ?? '';
      if (name === 'start.js') return c.body(START_DOCS, 200, { 'Content-Type': 'text/javascript; charset=utf-8' });
      // half a megabyte that most processes never need
      const { docsFiles } = await import('../pages/generated/docs-files.js');
      const file = docsFiles.find((known) => known.name === name);
      if (file === undefined) throw new ApiError('not_found', 'The page has no such file.');
      return send(c, file);
    },
  };
}

function send(c: ApiContext, { type, etag, gzip }: DocsFile): Response {
  const headers = { ETag: etag, 'Cache-Control': 'private, max-age=3600', Vary: 'Accept-Encoding' };
  if (c.req.header('if-none-match') === etag) return c.body(null, 304, headers);
  const bytes = Buffer.from(gzip, 'base64');
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(c.req.header('accept-encoding') ?? '');
  return takesGzip
    ? c.body(new Uint8Array(bytes), 200, { ...headers, 'Content-Type': type, 'Content-Encoding': 'gzip' })
    : c.body(new Uint8Array(gunzipSync(bytes)), 200, { ...headers, 'Content-Type': type });
}
