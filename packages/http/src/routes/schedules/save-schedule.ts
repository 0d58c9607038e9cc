import { findContract } from '@duework/queue-core';
import { createSchedule as create, saveSchedule as save } from '@duework/schedules';
import { showSchedule } from '../../access/shown/show-values.js';
import { ApiError } from '../../api-error.js';
import type { ApiParts } from '../../api.js';
import { parseBody } from '../../http/requests/parse-body.js';
import { readJsonBody } from '../../http/requests/read-json-body.js';
import { readActFromQuery, reasonParameter } from '../../http/requests/reason-body.js';
import { retryConflicts } from '../../http/retry-conflicts.js';
import { singleBodyLimit } from '../../http/requests/single-body-limit.js';
import { answer, answerWithLocation } from '../../openapi/answers.js';
import { BODY_PROBLEMS, DATABASE_PROBLEMS, JOB_PROBLEMS, problems } from '../../openapi/problems.js';
import { newSchedule, toScheduleOptions } from '../../schedules/new-schedule.js';
import { schedule } from '../../schedules/present-schedule.js';
import { keyParameter, RULE_PROBLEMS } from '../../schedules/schedule-problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { NO_SCHEDULES } from '../../over-queue/refusals.js';
import { saveInShard } from '../../shards/plans/by-schedule.js';

const newOnly = {
  name: 'If-None-Match',
  in: 'header' as const,
  description: '`*`: makes a schedule, and never edits one that has the key.',
  schema: { type: 'string' as const, enum: ['*'] },
};

/**
 * `PUT /v1/schedules/{key}`: makes a schedule, or edits the existing one, which `If-None-Match: *` forbids. A changed rule
 * counts from now.
 */
export function saveSchedule(parts: ApiParts): QueueRoute {
  const { db, databaseUrl, catalog } = parts;
  return {
    scope: 'schedules',
    over: NO_SCHEDULES,
    shards: saveInShard,
    doc: {
      method: 'put',
      path: '/v1/schedules/{key}',
      operationId: 'saveSchedule',
      summary: 'Make or edit a schedule',
      parameters: [keyParameter, reasonParameter, newOnly],
      request: { body: { required: true, content: { 'application/json': { schema: newSchedule } } } },
      responses: {
        200: answer('The schedule was there, and is edited.', schedule),
        201: answerWithLocation('The schedule is new.', schedule),
        ...problems(
          ...BODY_PROBLEMS,
          ...JOB_PROBLEMS,
          ...RULE_PROBLEMS,
          'invalid_query',
          'schedule_key_taken',
          'malformed_request',
          'invalid_schedule_key',
          'invalid_template',
          ...DATABASE_PROBLEMS,
        ),
      },
    },
    bodyLimitBytes: singleBodyLimit(parts),
    async handle(c) {
      const key = c.req.param('key') ?? '';
      const act = readActFromQuery(c);
      const condition = c.req.header('If-None-Match');
      // there is no version of a schedule that could be named
      if (condition !== undefined && condition !== '*')
        throw new ApiError('malformed_request', 'If-None-Match can be * alone: make a schedule, and edit none.');
      const body = parseBody(newSchedule, await readJsonBody(c));
      const write = condition === '*' ? create : save;
      const saved = await retryConflicts(databaseUrl, () =>
        write(db, findContract(catalog, body.type), toScheduleOptions(key, body) as never, act),
      );
      const isNew = saved.createdAt.getTime() === saved.updatedAt.getTime();
      const shown = showSchedule(catalog, c.get('principal'), saved);
      return isNew ? c.json(shown, 201, { Location: `/v1/schedules/${encodeURIComponent(key)}` }) : c.json(shown);
    },
  };
}
