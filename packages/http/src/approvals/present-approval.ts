import { APPROVAL_STATES, type ApprovalState } from '@duework/operate';
import { z } from '@hono/zod-openapi';

export const approval = z
  .object({
    name: z.string().describe('The name of its wait.'),
    title: z.string(),
    details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    choices: z.array(z.string()),
    by: z.array(z.string()).nullable().describe('Who is asked; null: whoever has a link or the scope.'),
    state: z
      .enum(APPROVAL_STATES)
      .describe(
        '`over`: nobody has decided in time, an operator has ended the wait, or the job has ended. `not_yet`: its job is about to wait.',
      ),
    until: z.iso.datetime().nullable().describe('When it ends by itself; null: never.'),
    decision: z
      .object({ choice: z.string(), by: z.string(), at: z.iso.datetime(), comment: z.string().nullable() })
      .nullable(),
  } satisfies Record<keyof ApprovalState, z.ZodType>)
  .openapi('Approval');
