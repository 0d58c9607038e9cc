/** People, and what they do at the worst moment: cancel, retry, pause and resume, look at lists. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../../scripts/lib/paths.mjs';
import { SCHEDULES } from '../jobs.mjs';
import { seededRandom } from '../random.mjs';
import { openHistory } from './open-history.mjs';
import { serveLab } from './serve-lab.mjs';

const { connectPrisma } = await import(join(root, 'packages/database/dist/index.js'));
const { cancelJob, findJobs, pauseSchedule, resumeSchedule, retryJob } = await import(
  join(root, 'packages/queue-core/dist/index.js')
);

const TURN_MS = 150;
const PAUSED = SCHEDULES.at(-1).key;

const { url, name, history, seed, sampleEvery } = JSON.parse(process.argv[2]);
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

async function findOne(status) {
  const { jobs } = await findJobs(db, { status, limit: 50 });
  return jobs.length === 0 ? null : random.pick(jobs);
}

/** Whether a mail has left nobody can say before the faults are over; see answer-unknown.mjs. */
const isRetriable = (job) => job !== null && job.type !== 'mail';

const deeds = [
  [
    'cancel',
    async () => {
      const job = await findOne(random.pick(['queued', 'failed', 'running', 'running']));
      return job === null
        ? null
        : { run: job.id, answer: await cancelJob(db, job.id, { by: 'operator', reason: 'torture' }) };
    },
  ],
  [
    'retry',
    async () => {
      const job = await findOne(random.pick(['dead', 'cancelled', 'failed', 'queued']));
      return isRetriable(job) ? { run: job.id, answer: (await retryJob(db, job.id)) ?? 'retried' } : null;
    },
  ],
  ['pause', async () => ({ answer: (await pauseSchedule(db, PAUSED)).isPaused })],
  ['resume', async () => ({ answer: (await resumeSchedule(db, PAUSED)).isPaused })],
  ['list', async () => ({ answer: (await findJobs(db, { limit: 200 })).jobs.length })],
];

serveLab({
  /** Nothing more is done; what was being done is over, and the schedule that people pause is resumed. */
  async stop() {
    state.isOn = false;
    await working;
    for (;;) {
      try {
        await resumeSchedule(db, PAUSED);
        return await db.$disconnect();
      } catch {
        await pause(TURN_MS);
      }
    }
  },
});

async function work() {
  while (state.isOn) {
    await pause(TURN_MS);
    const [deed, act] = random.pick(deeds);
    try {
      const done = await act();
      if (done !== null && Number(done.run ?? 0) % sampleEvery === 0) write('operator.did', { deed, ...done });
    } catch (error) {
      // refused, because it has ended meanwhile, or nobody knows
      write('operator.failed', { deed, code: error.code ?? null, problem: String(error.message).slice(-120) });
    }
  }
}
const working = work();
await working;
