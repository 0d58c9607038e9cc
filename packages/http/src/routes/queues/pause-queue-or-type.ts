import type { ApiParts } from '../../api.js';
import { pauseBody, readPause } from '../../http/requests/pause-body.js';
import { readAct, reasonBody } from '../../http/requests/reason-body.js';
import { retryConflicts } from '../../http/retry-conflicts.js';
import { answer } from '../../openapi/answers.js';
import { queueParameter, typeParameter } from '../../openapi/parameters.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { pause, resumed } from '../../operate/present-pause.js';
import type { QueueRoute } from '../../queue-route.js';
import { mergePause, mergeResumed } from '../../shards/merges.js';
import { everywhere } from '../../shards/plans/merged.js';

/** What can be paused: a queue, or a type in all queues. */
const KINDS = {
  queue: { pause: 'pauseQueue', resume: 'resumeQueue', parameter: queueParameter, id: 'Queue' },
  type: { pause: 'pauseType', resume: 'resumeType', parameter: typeParameter, id: 'Type' },
} as const;
type Kind = keyof typeof KINDS;

/**
 * `POST /v1/queues/{queue}/pause` and `/v1/types/{type}/pause`: nothing of it is claimed until it is resumed, or its end
 * has come.
 */
export function pauseQueueOrType(kind: Kind, { queue, databaseUrl }: ApiParts): QueueRoute {
  const { pause: verb, parameter, id } = KINDS[kind];
  return {
    scope: 'operate',
    over: 'same',
    shards: everywhere(mergePause),
    doc: {
      method: 'post',
      path: `/v1/${kind}s/{${kind}}/pause`,
      operationId: `pause${id}`,
      summary: `Pause a ${kind} on every worker`,
      parameters: [parameter],
      request: pauseBody.request,
      responses: {
        200: answer('The pause.', pause),
        ...problems(...pauseBody.problems, 'invalid_option', ...DATABASE_PROBLEMS),
      },
    },
    bodyLimitBytes: pauseBody.limitBytes,
    async handle(c) {
      const options = await readPause(c);
      return c.json(await retryConflicts(databaseUrl, () => queue[verb](c.req.param(kind) ?? '', options)));
    },
  };
}

/** `POST /v1/queues/{queue}/resume` and `/v1/types/{type}/resume`: its runs start again at once. */
export function resumeQueueOrType(kind: Kind, { queue, databaseUrl }: ApiParts): QueueRoute {
  const { resume: verb, parameter, id } = KINDS[kind];
  return {
    scope: 'operate',
    over: 'same',
    shards: everywhere(mergeResumed),
    doc: {
      method: 'post',
      path: `/v1/${kind}s/{${kind}}/resume`,
      operationId: `resume${id}`,
      summary: `Resume a ${kind}`,
      parameters: [parameter],
      request: reasonBody.request,
      responses: {
        200: answer('What has ended.', resumed),
        ...problems(...reasonBody.problems, 'invalid_option', ...DATABASE_PROBLEMS),
      },
    },
    bodyLimitBytes: reasonBody.limitBytes,
    async handle(c) {
      const act = await readAct(c);
      return c.json({ pause: await retryConflicts(databaseUrl, () => queue[verb](c.req.param(kind) ?? '', act)) });
    },
  };
}
