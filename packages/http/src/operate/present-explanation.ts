import { z } from '@hono/zod-openapi';
import type { Explanation, ExplanationCode } from '@duework/operate';
import { factsWithIds, idOf } from '../openapi/mark-ids.js';

const CODES: Readonly<Record<ExplanationCode, true>> = {
  not_due: true,
  snoozed: true,
  suspended: true,
  waiting_for_retry: true,
  paused: true,
  no_worker: true,
  behind: true,
  held_by_limit: true,
  held_by_rate: true,
  held_by_order: true,
  held_by_tenant: true,
  held_by_breaker: true,
  gate_closed: true,
  leased: true,
  lease_expired: true,
  released: true,
  expires: true,
  cancelling: true,
  dead: true,
  succeeded: true,
  cancelled: true,
};

const reason = z.object({
  code: z
    .enum(Object.keys(CODES) as [ExplanationCode, ...ExplanationCode[]])
    .describe('Stable; docs/understand/explain.md has them.'),
  facts: z.record(z.string(), z.unknown()).describe('The facts of this code.').openapi(factsWithIds),
  sentence: z.string().describe('For people.'),
});

export const explanation = reason
  .extend({
    id: z.string().openapi(idOf('job')),
    status: z.string(),
    further: z.array(reason).describe('What else would keep it from running when the first reason is gone.'),
  } satisfies Record<Exclude<keyof Explanation, 'code' | 'facts' | 'sentence'>, z.ZodType>)
  .openapi('Explanation');
