import { mergeAlerts } from '@duework/shards/merges';
import { z } from '@hono/zod-openapi';
import type { Duration } from '@duework/contracts';
import {
  acknowledgeAlert as acknowledge,
  listAlerts as list,
  silenceAlert as silence,
  testAlerts as raise,
} from '@duework/operate';
import type { Act } from '@duework/queue-core';
import { actOf } from '../../access/act-of.js';
import type { ApiParts } from '../../api.js';
import { parseBody } from '../../http/requests/parse-body.js';
import { plainText } from '../../http/requests/plain-text.js';
import { readJsonBody } from '../../http/requests/read-json-body.js';
import { reason, reasonBody } from '../../http/requests/reason-body.js';
import { retryConflicts } from '../../http/retry-conflicts.js';
import { answer } from '../../openapi/answers.js';
import { BODY_PROBLEMS, DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { alertList, severity } from '../../operate/present-alerts.js';
import type { QueueRoute } from '../../queue-route.js';
import { NO_ALERTS } from '../../over-queue/refusals.js';
import { everywhere } from '../../shards/plans/merged.js';

const key = plainText(255).openapi({ example: 'failing_job_type/send_mail' });
const silenceRequest = z
  .strictObject({
    key: key.describe('An alert with what it is about, an alert, or `*` for all.'),
    for: z
      .union([z.string().max(40), z.null()])
      .describe('How long: up to 366 days. null ends it.')
      .openapi({ example: '2h' }),
    reason,
  })
  .openapi('AlertSilenceRequest');
const acknowledgeRequest = z.strictObject({ key, reason }).openapi('AlertAcknowledgeRequest');
const testRequest = z.strictObject({ severity: severity.optional(), reason }).openapi('AlertTestRequest');

/** `POST /v1/alerts/silence`: nobody is told of an alert for a while. */
export const silenceAlert = (parts: ApiParts): QueueRoute =>
  change(parts, {
    verb: 'silence',
    summary: 'Have nobody told of an alert for a while',
    body: silenceRequest,
    act: ({ key: of, for: span }, act) => silence(parts.db, of, span as Duration | null, act),
  });

/** `POST /v1/alerts/acknowledge`: somebody looks after it, so that nobody is told that it lasts. */
export const acknowledgeAlert = (parts: ApiParts): QueueRoute =>
  change(parts, {
    verb: 'acknowledge',
    summary: 'Say that you look after an alert',
    body: acknowledgeRequest,
    act: ({ key: of }, act) => acknowledge(parts.db, of, act),
  });

/** `POST /v1/alerts/test`: an alert that means nothing. */
export const testAlerts = (parts: ApiParts): QueueRoute =>
  change(parts, {
    verb: 'test',
    summary: 'Raise an alert that means nothing, to see whom it reaches',
    body: testRequest,
    act: ({ severity: grave }, act) => raise(parts.db, grave, act),
  });

interface Change<T extends { readonly reason?: string | undefined }> {
  readonly verb: 'silence' | 'acknowledge' | 'test';
  readonly summary: string;
  readonly body: z.ZodType<T>;
  readonly act: (body: T, act: Act) => Promise<void>;
}

function change<T extends { readonly reason?: string | undefined }>(
  { db, databaseUrl }: ApiParts,
  { verb, summary, body, act }: Change<T>,
): QueueRoute {
  return {
    scope: 'operate',
    over: NO_ALERTS,
    shards: everywhere<z.output<typeof alertList>>(mergeAlerts),
    doc: {
      method: 'post',
      path: `/v1/alerts/${verb}`,
      operationId: verb === 'test' ? 'testAlerts' : `${verb}Alert`,
      summary,
      request: { body: { required: true, content: { 'application/json': { schema: body } } } },
      responses: {
        200: answer('What is on, and of what nobody is told.', alertList),
        ...problems('alert_not_found', 'invalid_option', ...BODY_PROBLEMS, ...DATABASE_PROBLEMS),
      },
    },
    bodyLimitBytes: reasonBody.limitBytes,
    async handle(c) {
      const given = parseBody(body, await readJsonBody(c));
      await retryConflicts(databaseUrl, () => act(given, actOf(c, given.reason)));
      return c.json(await list(db));
    },
  };
}
