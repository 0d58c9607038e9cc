import { redactResult } from '@duework/contracts';
import { type GraphJob, type JobStep, STEP_KINDS, STEP_STATUSES, type StepPage } from '@duework/operate';
import { showSignal } from '@duework/queue-core/internals';
import { z } from '@hono/zod-openapi';
import type { Principal } from '../access/principal.js';
import { maySeePayloads } from '../access/shown/withhold.js';
import type { ApiParts } from '../api.js';
import { idOf, idWhere } from '../openapi/mark-ids.js';

const text = z.string().nullable();
const time = z.iso.datetime().nullable();

const step = z
  .object({
    name: z.string(),
    status: z.enum(STEP_STATUSES).describe('`failed` is a child that is dead or cancelled, too.'),
    kind: z
      .enum(STEP_KINDS)
      .describe(
        '`work`: the handler does something. The others are waits; a `child` is a job that it has enqueued itself.',
      ),
    of: text
      .describe('The name of the signal, or the id of the job; null: of neither, or it is not shown.')
      .openapi(idWhere('kind', ['job', 'child'])),
    key: text.describe('That of the signal, as JSON. Shown with the scope `payloads`.'),
    since: time.describe('When a wait that goes on has begun.'),
    until: time.describe('When the wait ends by itself; null: never.'),
    sentence: z.string().describe('What it waits for, or how it has ended; for people.'),
    result: z
      .unknown()
      .describe(
        'What it has returned, or the payload of the signal; not that of a job, which has it itself. Shown with the scope `payloads`.',
      ),
    isLong: z.boolean().describe('There is a result, and it is left out, because it is longer than 16 KiB.'),
    end: z.enum(['succeeded', 'dead', 'cancelled']).nullable().describe('How the job has ended for which it waited.'),
    error: z
      .object({ code: z.string(), message: text.describe('Shown with the scope `payloads`; otherwise null.') })
      .nullable(),
    beganAt: z.iso
      .datetime()
      .describe('When the attempt that has ended it asked for it; of a wait, when the job began to wait.'),
    doneAt: time,
    fence: z.int().describe('Of the claim that has written it last.'),
  } satisfies Record<keyof JobStep, z.ZodType>)
  .openapi('JobStep');

const graphJob = z
  .object({
    name: z.string(),
    after: z.array(z.string()).describe('The jobs before it.'),
    isEach: z.boolean().describe('It is a job for each element of a list.'),
    total: z.int().describe('So many have been enqueued; 0: it has not begun, or was skipped.'),
    succeeded: z.int(),
    failed: z.int().describe('So many are dead or cancelled.'),
    isUndone: z.boolean(),
    jobId: text.describe('Where it is one job, and has been enqueued.').openapi(idOf('job')),
  } satisfies Record<keyof GraphJob, z.ZodType>)
  .openapi('GraphJob');

export const stepPage = z
  .object({
    steps: z.array(step),
    nextCursor: text.describe('null: this was the last page.'),
    parent: text.describe('The job that has enqueued this one and waited for it.').openapi(idOf('job')),
    graph: z.array(graphJob).describe('The jobs of a workflow; empty: it is none.'),
  } satisfies Record<keyof StepPage, z.ZodType>)
  .openapi('StepPage');

/** A page of steps as its caller may see it: what they have returned is shown as what the job has returned. */
export function showSteps(
  { catalog }: Pick<ApiParts, 'catalog'>,
  principal: Principal,
  type: string,
  page: StepPage,
): object {
  const contract = catalog.find((one) => one.type === type);
  const show = ({ result, ...shown }: JobStep): object => {
    if (!maySeePayloads(principal)) return shown;
    if (!principal.scopes.includes('sensitive')) return { ...shown, result: redactResult(contract, result) };
    return { ...shown, result: shown.kind === 'signal' ? showSignal(shown.of ?? '', result) : result };
  };
  return { ...page, steps: page.steps.map(show) };
}
