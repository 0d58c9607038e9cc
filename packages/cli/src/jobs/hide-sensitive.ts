import type { StepPage } from '@duework/operate';
import { redactPayload, redactResult } from '@duework/contracts';
import { type Job, readSensitivePaths, type Transactable } from '@duework/queue-core';

/** Jobs without what their contracts call sensitive, as the database knows it: the command may have no catalog. */
export async function hideSensitive(db: Transactable, jobs: readonly Job[]): Promise<Job[]> {
  const paths = await readSensitivePaths(db);
  return jobs.map(
    (job) =>
      ({
        ...job,
        payload: redactPayload(paths.get(job.type), job.payload),
        result: redactResult(paths.get(job.type), job.result),
      }) as Job,
  );
}

/** The same of what the steps of a job of a type have returned. */
export async function hideSensitiveSteps(db: Transactable, type: string, page: StepPage): Promise<StepPage> {
  const paths = (await readSensitivePaths(db)).get(type);
  return { ...page, steps: page.steps.map((step) => ({ ...step, result: redactResult(paths, step.result) })) };
}
