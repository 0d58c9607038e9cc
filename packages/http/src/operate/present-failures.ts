import { z } from '@hono/zod-openapi';
import type { BeganWith, FailureGroup, Failures } from '@duework/operate';
import { idOf } from '../openapi/mark-ids.js';

const time = z.iso.datetime();

const failureGroup = z
  .object({
    fingerprint: z.string().describe('The same for the same code, error type and pattern, whatever the job type.'),
    type: z.string(),
    code: z.string(),
    errorType: z.string().nullable(),
    pattern: z
      .string()
      .nullable()
      .describe('The error with … where it differs from job to job. Shown with the scope `payloads`; otherwise null.'),
    message: z.string().nullable().describe('One of the errors. Shown with the scope `payloads`; otherwise null.'),
    dead: z.int().describe('Jobs that were given up.'),
    retrying: z.int().describe('Jobs that will be retried by themselves.'),
    counts: z.array(z.int()).describe('Jobs by step, the oldest first.'),
    firstAt: time.describe(
      'The first attempt that failed with this error within the time, whatever became of its job.',
    ),
    lastAt: time,
    isOlder: z.boolean().describe('It has failed like this within as long a time before, too.'),
    beganWith: z
      .object({
        worker: z.string(),
        codeVersion: z.string().nullable().describe('Of the code of that worker.'),
        startedAt: time.nullable().describe('When the first worker with that version started.'),
      } satisfies Record<keyof BeganWith, z.ZodType>)
      .nullable()
      .describe('Who made the first attempt; null: it is not kept.'),
    places: z
      .array(z.string())
      .describe('Where it is thrown: the first frame of a stack that is of no package. Two: it has two causes.')
      .openapi({ example: ['writeReceiptMail (write-receipt-mail.ts:12:19)'] }),
    newestJob: z
      .string()
      .describe('The newest of the jobs; the last of its attempts has the stack.')
      .openapi(idOf('job')),
    versions: z.array(z.int()).describe('Of their contract.'),
    workers: z.array(z.string()).describe('Some of the workers that gave them up.'),
    filter: z
      .string()
      .describe('Finds these jobs, beside a status and a time.')
      .openapi({ example: 'type:send_invoice code:smtp_refused "no such mailbox"' }),
  } satisfies Record<keyof FailureGroup, z.ZodType>)
  .openapi('FailureGroup');

export const failureList = z
  .object({
    since: time,
    until: time.describe('When the step ends that it is now.'),
    stepSeconds: z.int(),
    groups: z.array(failureGroup).describe('Those with the most dead jobs first, 100 at most.'),
    isComplete: z
      .boolean()
      .describe('false: only the newest 10,000 dead and 5,000 live ones were searched; older ones are missing.'),
  } satisfies Record<keyof Failures, z.ZodType>)
  .openapi('FailureList');
