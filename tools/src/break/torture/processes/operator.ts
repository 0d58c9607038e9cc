/** The operators, and what they do at the worst moment: cancel, retry, pause and resume, read lists. */
import { setTimeout as pause } from 'node:timers/promises';
import { connectPrisma } from '@duework/database';
import { cancelBatch, cancelJob, findJobs, type Job, type JobStatus, listBatches, retryJob } from '@duework/queue-core';
import { pauseSchedule, resumeSchedule } from '@duework/schedules';
import { seededRandom } from '../../../kit/seeded-random.js';
import { serveParent } from '../../../kit/serve-parent.js';
import { PAUSED_SCHEDULE } from '../jobs.js';
import { openHistory } from './open-history.js';
import { readSettings } from './read-settings.js';

export interface OperatorSettings {
  readonly url: string;
  readonly name: string;
  readonly history: string;
  readonly seed: number;
  readonly sampleEvery: number;
}
/** One action on a run, and its answer. */
interface Done {
  readonly run?: string;
  readonly answer: unknown;
}

const TURN_MS = 150;
const CANCELLED_SHARE = 0.1;

const { url, name, history, seed, sampleEvery } = readSettings() as OperatorSettings;
const write = openHistory(history);
const random = seededRandom(seed);
const db = connectPrisma({
  url,
  poolSize: 2,
  connectTimeoutMs: 2_000,
  applicationName: `torture-${name}`,
  onConnectionLost: () => {},
});
const state = { isOn: true };

async function findOne(status: JobStatus): Promise<Job | null> {
  const { jobs } = await findJobs(db, { status, limit: 50 });
  return jobs.length === 0 ? null : random.pick(jobs);
}

async function cancelOne(): Promise<Done | null> {
  const job = await findOne(random.pick(['queued', 'failed', 'running', 'running']));
  if (job === null) return null;
  return { run: job.id, answer: await cancelJob(db, job.id, { by: 'operator', reason: 'torture' }) };
}

async function retryOne(): Promise<Done | null> {
  const job = await findOne(random.pick(['dead', 'cancelled', 'failed', 'queued']));
  // before the faults are over nobody can say whether a mail was sent; see answer-unknown.ts
  if (job === null || job.type === 'mail') return null;
  await retryJob(db, job.id);
  return { run: job.id, answer: 'retried' };
}

/** Seldom, so that most batches end by themselves. */
async function cancelSome(): Promise<Done | null> {
  const { batches } = await listBatches(db, { limit: 20 });
  if (batches.length === 0 || !random.isIn(CANCELLED_SHARE)) return null;
  return { answer: await cancelBatch(db, random.pick(batches).id, { by: 'operator', reason: 'torture' }) };
}

const deeds: readonly { readonly deed: string; readonly act: () => Promise<Done | null> }[] = [
  { deed: 'cancel', act: cancelOne },
  { deed: 'retry', act: retryOne },
  { deed: 'cancel batch', act: cancelSome },
  { deed: 'pause', act: async () => ({ answer: (await pauseSchedule(db, PAUSED_SCHEDULE)).isPaused }) },
  { deed: 'resume', act: async () => ({ answer: (await resumeSchedule(db, PAUSED_SCHEDULE)).isPaused }) },
  { deed: 'list', act: async () => ({ answer: (await findJobs(db, { limit: 200 })).jobs.length }) },
];

async function work(): Promise<void> {
  while (state.isOn) {
    await pause(TURN_MS);
    const { deed, act } = random.pick(deeds);
    try {
      const done = await act();
      if (done !== null && Number(done.run ?? 0) % sampleEvery === 0) write('operator.did', { deed, ...done });
    } catch (error) {
      // refused because the run has ended meanwhile, or the answer was lost
      const { code = null, message } = error as { code?: string; message?: string };
      write('operator.failed', { deed, code, problem: String(message).slice(-120) });
    }
  }
}
const working = work();

serveParent({
  /** Ends all actions, waits for those in progress, and resumes the schedule that people pause. */
  async stop() {
    state.isOn = false;
    await working;
    for (;;) {
      try {
        await resumeSchedule(db, PAUSED_SCHEDULE);
        return await db.$disconnect();
      } catch {
        await pause(TURN_MS);
      }
    }
  },
});
await working;
