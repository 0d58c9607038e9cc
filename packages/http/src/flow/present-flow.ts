import { z } from '@hono/zod-openapi';
import {
  type FlowKey,
  type FlowKeyPage,
  type FlowPreview,
  type FlowRuleState,
  type KeyHolder,
  RULE_KINDS,
  type RuleTerms,
} from '@duework/operate';
import { idOf } from '../openapi/mark-ids.js';

const time = z.iso.datetime();
const text = z.string().nullable();

const terms = z
  .object({
    max: z.int().optional().describe('Of a limit how many units at once, of a rate how many in `perMs`.'),
    perMs: z.number().optional(),
    burst: z.int().optional(),
    share: z
      .number()
      .optional()
      .describe('A breaker opens where this share of its last `of` attempts has failed, for `pauseMs`.'),
    of: z.int().optional(),
    pauseMs: z.number().optional(),
    onFailure: z.enum(['wait', 'step_over']).optional(),
    onDead: z.enum(['let_go', 'block']).optional(),
  } satisfies Record<keyof RuleTerms, z.ZodType>)
  .openapi('FlowTerms');

export const flowRule = z
  .object({
    name: z.string().openapi({ example: 'limit/smtp' }),
    kind: z.enum(RULE_KINDS),
    declared: terms,
    changed: z.union([terms, z.null()]).describe('What an operator has set instead; null: nothing.'),
    changedBy: text,
    changedAt: time.nullable(),
    terms: terms.describe('What holds.'),
    types: z.array(z.string()).describe('The types whose contracts declare it.'),
    keys: z.int(),
    running: z.int().describe('How many jobs hold one of its keys.'),
    used: z.int().describe('How many units they hold.'),
    waiting: z.int().describe('How many jobs wait at one of its keys.'),
    waitingSince: time.nullable().describe('Since when the one waits that has waited for the longest time.'),
    isAtLeast: z.boolean().describe('Only a part was looked at.'),
    closed: z.int().describe('How many of its keys let nobody in now.'),
    closedUntil: time.nullable().describe('Until when the last of them does not.'),
    trying: z.int().describe('Of a breaker: how many of its keys let in one at a time, until one has succeeded.'),
    blocked: z.int().describe('Of an order: at how many of its keys others wait behind a dead job.'),
  } satisfies Record<keyof FlowRuleState, z.ZodType>)
  .openapi('FlowRule');

export const flowRuleList = z.object({ rules: z.array(flowRule) }).openapi('FlowRuleList');

const holder = z
  .object({
    id: z.string().openapi(idOf('job')),
    type: z.string(),
    status: z.string(),
    units: z.int(),
    since: time.describe('When it was claimed, or let in.'),
    lockedUntil: time.nullable().describe('Until when its lease holds.'),
    worker: text,
  } satisfies Record<keyof KeyHolder, z.ZodType>)
  .openapi('FlowHolder');

export const flowKey = z
  .object({
    key: z.string().openapi({ example: 'limit/send_mail.accountId/7' }),
    value: text.describe('What it is by; null: the rule has one key for all jobs.'),
    used: z.int(),
    holders: z.array(holder).describe('The first twenty. Of a tenant: its jobs that were let in.'),
    waiting: z.int(),
    waitingIsAtLeast: z.boolean(),
    waitingSince: time.nullable().describe('Since when the one waits that has waited for the longest time.'),
    weight: z.int().nullable().describe('Of a tenant for which some wait: its turns for one of weight 1.'),
    nextAt: time.nullable().describe('Of a rate: when its next unit is there; null: now.'),
    closedUntil: time.nullable().describe('Nothing is let in before.'),
    breaker: z
      .enum(['closed', 'open', 'trying'])
      .nullable()
      .describe('`trying`: one at a time, until one has succeeded.'),
    failed: z.int().nullable(),
    attempts: z.int().nullable(),
  } satisfies Record<keyof FlowKey, z.ZodType>)
  .openapi('FlowKey');

export const flowKeyPage = z
  .object({ keys: z.array(flowKey), nextCursor: text } satisfies Record<keyof FlowKeyPage, z.ZodType>)
  .openapi('FlowKeyPage');

export const flowPreview = z
  .object({
    before: terms,
    after: terms,
    running: z.int(),
    waiting: z.int(),
    letIn: z.int().nullable().describe('Of a limit: how many would be let in at once.'),
    over: z.int().nullable().describe('Of a limit: how many units run above the new bound until they end.'),
    isAtLeast: z.boolean(),
  } satisfies Record<keyof FlowPreview, z.ZodType>)
  .openapi('FlowPreview');
