import { mergeFigures } from '@duework/shards/merges';
import { z } from '@hono/zod-openapi';
import { FIGURE_STEPS, type FigureStep, readFigures } from '@duework/operate';
import type { ApiParts } from '../../api.js';
import { parseQuery } from '../../http/requests/parse-query.js';
import { plainFilter } from '../../http/requests/plain-text.js';
import { readOnStandby } from '../../reads/read-on-standby.js';
import { answer } from '../../openapi/answers.js';
import { READ_PROBLEMS, problems } from '../../openapi/problems.js';
import { figuresList } from '../../operate/present-figures.js';
import type { QueueRoute } from '../../queue-route.js';
import { needsDatabase } from '../../over-queue/refusals.js';
import { merged } from '../../shards/plans/merged.js';

const steps = Object.keys(FIGURE_STEPS) as [FigureStep, ...FigureStep[]];
const query = z.strictObject({
  queue: plainFilter(63).optional(),
  type: plainFilter(63).optional(),
  since: z.iso
    .datetime({ offset: true })
    .transform((text) => new Date(text))
    .optional(),
  step: z.enum(steps).default('1m'),
  group: z.enum(['type', 'all']).default('type'),
});

/** `GET /v1/figures`: what workers did, step by step. */
export function listFigures(parts: ApiParts): QueueRoute {
  return {
    scope: 'read',
    over: needsDatabase('Figures of the past are kept in PostgreSQL; this queue says what waits and runs now.'),
    shards: merged<z.output<typeof figuresList>>(mergeFigures, {
      says: 'As of queues; the most that was due or ran at one moment is the sum of what was the most in each shard.',
    }),
    doc: {
      method: 'get',
      path: '/v1/figures',
      operationId: 'listFigures',
      summary: 'Read the series of throughput, failures, waiting and running times',
      parameters: [
        { name: 'queue', in: 'query', schema: { type: 'string' } },
        { name: 'type', in: 'query', schema: { type: 'string' } },
        {
          name: 'since',
          in: 'query',
          description: 'Default: 60 steps ago; of `whole` an hour.',
          schema: { type: 'string', format: 'date-time' },
        },
        {
          name: 'step',
          in: 'query',
          description: '`whole`: all from `since` on as one step.',
          schema: { type: 'string', enum: steps, default: '1m' },
        },
        {
          name: 'group',
          in: 'query',
          description: '`type`: a line for each queue and type; `all`: one for all of them, whose names are empty.',
          schema: { type: 'string', enum: ['type', 'all'], default: 'type' },
        },
      ],
      responses: {
        200: answer('Oldest first; steps in which nothing happened are left out.', figuresList),
        ...problems('invalid_query', 'invalid_option', ...READ_PROBLEMS),
      },
    },
    async handle(c) {
      const { group, ...request } = parseQuery(query, c);
      const wanted = { ...request, isTogether: group === 'all' };
      return c.json({ figures: await readOnStandby(parts, c, (db) => readFigures(db, wanted)) });
    },
  };
}
