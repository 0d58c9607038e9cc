import { previewSchedule as previewRule } from '@duework/schedules';
import { readNow } from '@duework/queue-core';
import type { ApiParts } from '../../api.js';
import { parseBody } from '../../http/requests/parse-body.js';
import { readJsonBody } from '../../http/requests/read-json-body.js';
import { answer } from '../../openapi/answers.js';
import { BODY_PROBLEMS, DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { newRule, toRule } from '../../schedules/new-schedule.js';
import { preview } from '../../schedules/present-schedule.js';
import { RULE_PROBLEMS } from '../../schedules/schedule-problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { NO_SCHEDULES } from '../../over-queue/refusals.js';
import { anywhere } from '../../shards/plans/enqueue.js';

/** `POST /v1/schedule-previews`: the meaning of a rule, and its next due times. Nothing is saved. */
export function previewSchedule({ db }: ApiParts): QueueRoute {
  return {
    scope: 'read',
    over: NO_SCHEDULES,
    shards: anywhere(),
    doc: {
      method: 'post',
      path: '/v1/schedule-previews',
      operationId: 'previewSchedule',
      summary: 'Preview a rule',
      request: { body: { required: true, content: { 'application/json': { schema: newRule } } } },
      responses: {
        200: answer('The rule in words and its next due times.', preview),
        ...problems(...BODY_PROBLEMS, ...RULE_PROBLEMS, ...DATABASE_PROBLEMS),
      },
    },
    bodyLimitBytes: 16 * 1024,
    async handle(c) {
      const { count, after, ...rule } = parseBody(newRule, await readJsonBody(c));
      return c.json(previewRule(toRule(rule), { count, after: new Date(after ?? (await readNow(db))) }));
    },
  };
}
