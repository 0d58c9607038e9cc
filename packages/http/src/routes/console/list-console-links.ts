import { z } from '@hono/zod-openapi';
import type { ApiParts } from '../../api.js';
import { type ConsoleLink, LINK_NAMES } from '../../console/console-link.js';
import { answer } from '../../openapi/answers.js';
import { problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';

const link = z
  .object({
    words: z.string().openapi({ example: 'Logs' }),
    href: z.string().describe('With names in braces.').openapi({ example: 'https://logs.example.com/?job={id}' }),
    where: z.enum(Object.keys(LINK_NAMES) as [ConsoleLink['where'], ...ConsoleLink['where'][]]),
  } satisfies Record<keyof ConsoleLink, z.ZodType>)
  .openapi('ConsoleLink');

/** `GET /v1/console/links`: the links that whoever runs this server wants on the console. */
export function listConsoleLinks({ consoleLinks = [] }: ApiParts): QueueRoute {
  return {
    scope: 'read',
    isForSomeTypes: true,
    over: 'same',
    shards: 'none',
    doc: {
      method: 'get',
      path: '/v1/console/links',
      operationId: 'listConsoleLinks',
      summary: 'List the links of the console that lead elsewhere',
      responses: { 200: answer('The links.', z.object({ links: z.array(link) })), ...problems() },
    },
    handle: (c) => c.json({ links: consoleLinks }),
  };
}
