import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../scripts/lib/paths.mjs';
import { answerUnknown } from './answer-unknown.mjs';
import { faults as allFaults } from './faults/index.mjs';
import { everything, SCHEDULES, slotted } from './jobs.mjs';
import { collectEvidence } from './observer/collect-evidence.mjs';
import { DRAIN_LIMIT_MS } from './limits.mjs';
import { installWitness } from './observer/install-witness.mjs';
import { measureLoad } from './measure-load.mjs';
import { openPeople } from './open-people.mjs';
import { openWorkers } from './open-workers.mjs';
import { planFaults } from './plan-faults.mjs';
import { nowMs, openHistory } from './processes/open-history.mjs';
import { seededRandom } from './random.mjs';
import { openDirect } from './servers/open-direct.mjs';
import { startPgBouncer } from './servers/start-pgbouncer.mjs';
import { startPostgres } from './servers/start-postgres.mjs';
import { watchGauges } from './observer/watch-gauges.mjs';

const { connectPrisma } = await import(join(root, 'packages/database/dist/index.js'));
const { pauseSchedule, registerSchedules, scheduleRequest, slot } = await import(
  join(root, 'packages/queue-core/dist/index.js')
);

const WARM_MS = 4_000;

const LOOK_MS = 100;
const SESSION_TRIES = 50;
/** Between two faults, so that each is seen for itself. */
const GAP_MS = 2_500;

/**
 * Runs the product, does the planned faults to it, lets it drain, and returns everything that is known about it, to be judged
 * by the checks. `say` is told what happens, a line at a time.
 */
export async function runTorture(options, say) {
  const postgres = await startPostgres({ diskMb: options.diskMb });
  const dir = join(postgres.dir, 'history');
  mkdirSync(dir);
  writeFileSync(join(dir, 'effects.jsonl'), '');
  const write = openHistory(join(dir, 'history-lab.jsonl'));
  const direct = openDirect(postgres.url);
  await installWitness(direct, options.sampleEvery);
  const db = connectPrisma({ url: postgres.url, poolSize: 2, applicationName: 'torture-lab' });
  await registerSchedules(
    db,
    everything,
    SCHEDULES.map((rule) => scheduleRequest(slotted, { ...rule, payload: { schedule: rule.key, slot: slot.iso() } })),
    { version: 1 },
  );
  const pgbouncer = await startPgBouncer({ dir: postgres.dir, url: postgres.url });
  const clock = { offsetMs: Date.now() - nowMs() };
  const workers = await openWorkers({
    postgres,
    pgbouncer,
    dir,
    count: options.workers,
    perSecond: options.perSecond,
    sampleEvery: options.sampleEvery,
    note: write,
  });
  const people = await openPeople({ postgres, dir, options, note: write });
  const lab = {
    postgres,
    direct,
    workers,
    cables: () => [
      ...workers.places.map(({ worker, proxy }) => ({ name: worker.workerName, proxy })),
      ...people.cables,
    ],
  };
  const gauges = watchGauges({ url: postgres.url, workers, everyMs: options.gaugeMs });

  const missing = allFaults.flatMap((fault) => (fault.missing?.(lab) ? [{ fault, why: fault.missing(lab) }] : []));
  if (pgbouncer === null)
    missing.push({
      fault: { name: 'pgbouncer', title: 'a worker behind PgBouncer' },
      why: 'there is no pgbouncer on PATH',
    });
  const wanted = allFaults.filter(
    (fault) => options.faults.includes(fault.name) && !missing.some((other) => other.fault === fault),
  );
  const plan = planFaults({ ...options, faults: wanted, count: options.turns });
  say(
    `seed ${options.seed}, ${options.workers} workers${pgbouncer === null ? '' : ' (one through PgBouncer)'}, ${options.perSecond} jobs/s; ${plan.length} turns planned`,
  );

  await pause(WARM_MS);
  const begunMs = nowMs();
  write('faults.begun');
  let turns = 0;
  for (const turn of plan) {
    if (nowMs() - begunMs > options.maxMs) break;
    turns++;
    await takeTurn(turn, { lab, write, say, begunMs });
    const nextMs = Math.max(GAP_MS, turns * options.everyMs - (nowMs() - begunMs));
    await pause(nextMs);
  }
  write('faults.ended');
  const tookMs = nowMs() - begunMs;

  const drained = await drain({ people, db, direct, dir, write, say });
  gauges.stop();
  const evidence = await collectEvidence({ dir, direct, clock });
  const load = options.isLoadMeasured ? await measureLoad({ postgres, direct }) : null;
  const ended = await workers.stop();
  pgbouncer?.stop();
  const sessions = await sessionsLeft(direct);
  await db.$disconnect();
  await direct.end();
  for (const { proxy } of people.cables) proxy.stop();
  return {
    options,
    missing,
    dir,
    tookMs,
    begunMs,
    drained,
    load,
    ended,
    sessions,
    gauges: gauges.samples,
    ...evidence,
    stop: postgres.stop,
  };
}

async function takeTurn(turn, { lab, write, say, begunMs }) {
  const titles = turn.faults.map(({ title }) => title).join(' + ');
  say(`+${((nowMs() - begunMs) / 1_000).toFixed(1)} s  ${titles}`);
  await Promise.all(
    turn.faults.map(async (fault, index) => {
      const id = `${fault.name}-${Math.round(nowMs())}-${index}`;
      const note = (kind, facts = {}) =>
        write(kind, { fault: fault.name, id, isAlone: turn.faults.length === 1, ...facts });
      try {
        await fault.inject({ ...lab, random: seededRandom(turn.seeds[index]), note });
      } catch (error) {
        note('fault.failed', { problem: error.message });
      }
      note('fault.ended');
    }),
  );
}

/** No more work comes in; what is there has to end. */
async function drain({ people, db, direct, dir, write, say }) {
  people.operator.expectEnd();
  await people.operator.ask('stop');
  for (const { key } of SCHEDULES) await pauseSchedule(db, key);
  const counts = [];
  for (const producer of people.producers) {
    producer.expectEnd();
    counts.push(await producer.ask('stop'));
    producer.signal('SIGKILL');
  }
  people.operator.signal('SIGKILL');
  write('drain.begun');
  const begunMs = nowMs();
  const unknown = { happened: 0, repeated: 0 };
  let live;
  do {
    await pause(LOOK_MS);
    const said = await answerUnknown({ db, direct, dir });
    unknown.happened += said.happened;
    unknown.repeated += said.repeated;
    [{ live }] = await direct.query('SELECT count(*)::int AS live FROM duework.job_runs');
  } while (live > 0 && nowMs() - begunMs < DRAIN_LIMIT_MS);
  const tookMs = nowMs() - begunMs;
  write('drain.ended', { live });
  say(`drained in ${(tookMs / 1_000).toFixed(1)} s, ${live} left`);
  return { live, tookMs, unknown, counts };
}

/** Sessions whose processes have ended; the server is given the moment that it needs to notice. */
async function sessionsLeft(direct) {
  for (let tries = 0; ; tries++) {
    const left = await direct.query(`
      SELECT application_name AS name, count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND (application_name LIKE 'torture-w%' OR application_name IN ('duework leases', 'duework wake-ups')) GROUP BY 1`);
    if (left.length === 0 || tries === SESSION_TRIES) return left;
    await pause(LOOK_MS);
  }
}
