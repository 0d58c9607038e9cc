import { checkEffects as readCheck, type EffectCheck, judgeEffects } from '@duework/operate';
import { mergeEffectFacts } from '@duework/shards/merges';
import { z } from '@hono/zod-openapi';
import { ApiError } from '../../api-error.js';
import type { ApiParts } from '../../api.js';
import { parseQuery } from '../../http/requests/parse-query.js';
import { plainFilter } from '../../http/requests/plain-text.js';
import { answer } from '../../openapi/answers.js';
import { READ_PROBLEMS, problems } from '../../openapi/problems.js';
import { effectCheck } from '../../operate/present-effect-check.js';
import { needsDatabase } from '../../over-queue/refusals.js';
import type { QueueRoute } from '../../queue-route.js';
import { readOnStandby } from '../../reads/read-on-standby.js';
import { mergedOfAll } from '../../shards/plans/merged.js';

const moment = z.iso
  .datetime({ offset: true, error: 'Not an ISO 8601 time with a zone, such as 2026-01-31T09:00:00Z' })
  .transform((text) => new Date(text))
  .optional();
const query = z.strictObject({ type: plainFilter(63), since: moment, until: moment });
const parameter = (name: string, description: string) => ({
  name,
  in: 'query' as const,
  description,
  schema: { type: 'string' as const, format: 'date-time' },
});

/** `GET /v1/effects/check`: whether what is recorded proves that jobs of a type did nothing twice. */
export function checkEffects(parts: ApiParts): QueueRoute {
  return {
    scope: 'read',
    isForSomeTypes: true,
    over: needsDatabase('This queue keeps what was done once, and does not list it.'),
    shards: mergedOfAll<z.output<typeof effectCheck>>((answers) => judged(mergeEffectFacts(answers))),
    doc: {
      method: 'get',
      path: '/v1/effects/check',
      operationId: 'checkEffects',
      summary: 'Prove that nothing happened twice',
      description: 'By the effects that jobs of a type have begun, and by their attempts, between two moments.',
      parameters: [
        { name: 'type', in: 'query', required: true, schema: { type: 'string' } },
        parameter('since', 'Included. Without it: 24 hours before `until`.'),
        parameter('until', 'Not included. Without it: now.'),
      ],
      responses: {
        200: answer('Whether that is proven, and what is in doubt.', effectCheck),
        ...problems(
          'invalid_query',
          'limited_to_types',
          'unknown_job_type',
          'invalid_option',
          'span_too_wide',
          ...READ_PROBLEMS,
        ),
      },
    },
    async handle(c) {
      const asked = parseQuery(query, c);
      const { name, types } = c.get('principal');
      if (types !== null && !types.includes(asked.type))
        throw new ApiError('limited_to_types', `${name} is for jobs of the type ${types.join(' or ')} alone.`);
      return c.json(await readOnStandby(parts, c, (db) => readCheck(db, asked)));
    },
  };
}

type Sent = z.output<typeof effectCheck>;

/** What is written of facts that were sent. */
function judged(facts: Sent): Sent {
  const { isProven, sentence } = judgeEffects({
    ...facts,
    since: new Date(facts.since),
    until: new Date(facts.until),
  } as unknown as EffectCheck);
  return { ...facts, isProven, sentence };
}
