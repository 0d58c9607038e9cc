import type { SignalContract } from '@duework/contracts';
import { z } from '@hono/zod-openapi';
import type { ApiParts } from '../../api.js';
import { answer } from '../../openapi/answers.js';
import { problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';

const signalContract = z
  .object({
    name: z.string(),
    by: z.array(z.string()).describe('The fields of its payload by which a job waits for it.'),
    payloadSchema: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('JSON Schema of the payload; null: its validator writes none.'),
  })
  .openapi('SignalContract');

/** `GET /v1/signals`: the signals that this API sends, for forms. */
export function listSignals({ signals = [] }: ApiParts): QueueRoute {
  return {
    scope: 'read',
    over: 'same',
    shards: 'none',
    doc: {
      method: 'get',
      path: '/v1/signals',
      operationId: 'listSignals',
      summary: 'List the signals that this API sends',
      responses: { 200: answer('All of them.', z.object({ signals: z.array(signalContract) })), ...problems() },
    },
    handle: (c) =>
      c.json({ signals: signals.map((one) => ({ name: one.name, by: one.by, payloadSchema: describePayload(one) })) }),
  };
}

function describePayload({ payload }: SignalContract): Record<string, unknown> | null {
  try {
    return payload['~standard'].jsonSchema?.input({ target: 'draft-2020-12' }) ?? null;
  } catch {
    // it has a part that JSON Schema cannot say
    return null;
  }
}
