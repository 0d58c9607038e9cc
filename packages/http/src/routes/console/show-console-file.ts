import { ApiError } from '../../api-error.js';
import { problems } from '../../openapi/problems.js';
import { answerConsolePage } from '../../pages/answer-console-page.js';
import { sendFile } from '../../pages/send-file.js';
import type { QueueRoute } from '../../queue-route.js';

const TYPES = ['text/html', 'text/javascript', 'text/css', 'text/plain', 'image/svg+xml', 'font/woff2'];
const FOREVER = 'public, max-age=31536000, immutable';

/** `GET /console/{path}`: a file of the console, or its page, which draws the screen that the path names. */
export function showConsoleFile(): QueueRoute {
  return {
    scope: 'public',
    takesRest: true,
    over: 'same',
    shards: 'none',
    doc: {
      method: 'get',
      path: '/console/{path}',
      operationId: 'showConsoleFile',
      summary: 'A screen of the console, or a file of it',
      parameters: [{ name: 'path', in: 'path', required: true, schema: { type: 'string' } }],
      responses: {
        200: {
          description: 'The page, a script, a style sheet, a font or a picture.',
          content: Object.fromEntries(TYPES.map((type) => [type, { schema: { type: 'string' as const } }])),
        },
        304: { description: 'The one that the client has.' },
        ...problems('not_found'),
      },
    },
    async handle(c) {
      const path = c.req.path.slice('/console/'.length);
      // half a megabyte that most processes never need
      const { consoleFiles } = await import('../../pages/generated/console-files.js');
      const file = consoleFiles.find(({ name }) => name === path && name !== 'index.html');
      // the name of an asset changes with its content
      const isAsset = path.startsWith('assets/');
      if (file !== undefined) return sendFile(c, file, isAsset ? FOREVER : 'no-cache');
      if (isAsset) throw new ApiError('not_found', 'The console has no such file: load its page again.');
      return answerConsolePage(c, '../'.repeat(path.split('/').length - 1) || './');
    },
  };
}
