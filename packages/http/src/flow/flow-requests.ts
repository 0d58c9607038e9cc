import { z } from '@hono/zod-openapi';
import type { Duration } from '@duework/contracts';
import { type FlowChange, kindOfRule, RULE_KINDS } from '@duework/operate';
import { lacksScope } from '../access/lacks-scope.js';
import { maySeePayloads } from '../access/shown/withhold.js';
import type { ApiContext } from '../api.js';
import { plainFilter } from '../http/requests/plain-text.js';
import { reason } from '../http/requests/reason-body.js';

const number = z.number().nullable().optional();
const duration = z.string().max(40).nullable().optional().openapi({ example: '30s' });

const change = z
  .strictObject({
    max: number.describe('Of a limit or a rate.'),
    per: duration.describe('Of a rate.'),
    burst: number.describe('Of a rate.'),
    share: number.describe('Of a breaker.'),
    of: number.describe('Of a breaker.'),
    pause: duration.describe('Of a breaker.'),
  })
  .openapi('FlowChange');

export const changeRequest = z
  .strictObject({
    change: z.union([change, z.null()]).describe('null takes all back that was changed, and null of a field that one.'),
    reason,
  })
  .openapi('FlowChangeRequest');

const value = plainFilter(300).optional().describe('Of a rule that is by a value: which key.');
export const openRequest = z.strictObject({ value, reason }).openapi('FlowOpenRequest');
export const closeRequest = z
  .strictObject({
    for: z.string().max(40).describe('How long nothing is let in: up to 30 days.').openapi({ example: '10m' }),
    value,
    reason,
  })
  .openapi('FlowCloseRequest');

/** The kind and the name of a rule in a path, for the document. */
export const ruleParameters = [
  { name: 'kind', in: 'path' as const, required: true, schema: { type: 'string' as const, enum: [...RULE_KINDS] } },
  {
    name: 'name',
    in: 'path' as const,
    required: true,
    description: 'The name of the rule behind its kind.',
    schema: { type: 'string' as const, minLength: 1, maxLength: 150 },
  },
];

/**
 * The rule in a path. Throws `flow_rule_not_found` for what is none, a key with its value among them: a value is said in the request alone,
 * where it is asked who may read payloads.
 */
export function ruleOf(c: ApiContext): string {
  const rule = `${c.req.param('kind')}/${c.req.param('name')}`;
  kindOfRule(rule);
  return rule;
}

/** The key of a rule that is meant. Throws `missing_scope` for one by a value of payloads, where its caller may not read them. */
export function keyOf(c: ApiContext, of: string | undefined): string {
  if (of === undefined) return ruleOf(c);
  const principal = c.get('principal');
  if (!maySeePayloads(principal))
    throw lacksScope(principal, 'payloads', [{ pointer: '/value', message: 'It is a value of payloads' }]);
  return `${ruleOf(c)}/${of}`;
}

export const toChange = (given: z.output<typeof changeRequest>['change']): FlowChange | null =>
  given as (FlowChange & { per?: Duration | null; pause?: Duration | null }) | null;
