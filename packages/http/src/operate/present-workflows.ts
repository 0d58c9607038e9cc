import {
  PLACE_KINDS,
  type WorkflowPlace,
  type Workflows,
  type WorkflowStep,
  type WorkflowType,
} from '@duework/operate';
import { z } from '@hono/zod-openapi';

const kind = z
  .enum(PLACE_KINDS)
  .describe('`work`: a worker does something. The others are waits; a `child` is a job that the handler has enqueued.');

const place = z
  .object({
    step: z
      .string()
      .nullable()
      .describe(
        'Without the number that it has in a loop. Of jobs that run: the last that each has ended; null: none yet.',
      ),
    kind,
    signal: z.string().nullable().describe('The name of the signal.'),
    jobs: z.int(),
    isAtLeast: z.boolean().describe('There are more: only the newest were counted.'),
    since: z.iso
      .datetime()
      .describe('When the first of them came here; of jobs that run, when the first attempt began.'),
    filter: z.string().describe('Finds these jobs.').openapi({ example: 'type:order at:"wait for payment"' }),
  } satisfies Record<keyof WorkflowPlace, z.ZodType>)
  .openapi('WorkflowPlace');

const step = z
  .object({
    step: z.string(),
    kind,
    times: z.int().describe('So many were measured.'),
    medianMs: z.number(),
    p95Ms: z.number().describe('95 of 100 took no longer.'),
    failed: z
      .int()
      .describe('So many failed, and their handlers went on; or the jobs that they waited for are dead or cancelled.'),
  } satisfies Record<keyof WorkflowStep, z.ZodType>)
  .openapi('WorkflowStep');

const type = z
  .object({
    type: z.string(),
    running: z.int(),
    waiting: z.int(),
    isAtLeast: z.boolean().describe('One of the two is larger.'),
    places: z.array(place).describe('Where its live jobs are; where most are comes first.'),
    steps: z.array(step).describe('How long its steps took lately, the slowest first.'),
    compensations: z.object({
      running: z.int().describe('Live jobs that went on behind a failed step, or whose graph undoes what it did.'),
      failed: z.int().describe('Jobs of `undo` that are dead or cancelled.'),
    } satisfies Record<keyof WorkflowType['compensations'], z.ZodType>),
  } satisfies Record<keyof WorkflowType, z.ZodType>)
  .openapi('WorkflowType');

export const workflowList = z
  .object({
    types: z.array(type).describe('Those of which most are live first.'),
    isComplete: z.boolean().describe('false: there are more steps, or jobs that run, than were read.'),
  } satisfies Record<keyof Workflows, z.ZodType>)
  .openapi('WorkflowList');
