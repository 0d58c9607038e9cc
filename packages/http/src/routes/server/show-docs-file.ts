import { ApiError } from '../../api-error.js';
import { problems } from '../../openapi/problems.js';
import { sendFile } from '../../pages/send-file.js';
import { START_DOCS } from '../../pages/start-docs.js';
import type { QueueRoute } from '../../queue-route.js';

/** `GET /docs/{file}`: what the page at `/docs` loads. */
export function showDocsFile(): QueueRoute {
  return {
    scope: 'public',
    over: 'same',
    shards: 'none',
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
      const { docsFiles } = await import('../../pages/generated/docs-files.js');
      const file = docsFiles.find((known) => known.name === name);
      if (file === undefined) throw new ApiError('not_found', 'The page has no such file.');
      return sendFile(c, file, 'private, max-age=3600');
    },
  };
}
