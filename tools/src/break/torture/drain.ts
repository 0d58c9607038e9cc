import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PrismaClient } from '@duework/database';
import { explainJob } from '@duework/operate';
import { retryJob } from '@duework/queue-core';
import { pauseSchedule } from '@duework/schedules';
import { SCHEDULES } from './jobs.js';
import { DRAIN_LIMIT_MS } from './limits.js';
import type { Drained } from './observer/evidence.js';
import type { People } from './open-people.js';
import { nowMs, type WriteEvent } from './processes/open-history.js';
import type { DirectSession } from './servers/open-direct.js';

/**
 * Answers the open effects in an operator's place, when the faults are over: checks whether each mail was sent, and
 * says so.
 *
 * @returns how many effects had happened, and how many are done again
 */
async function answerUnknown({
  db,
  direct,
  dir,
}: {
  readonly db: PrismaClient;
  readonly direct: DirectSession;
  readonly dir: string;
}): Promise<{ happened: number; repeated: number }> {
  const lines = readFileSync(join(dir, 'effects.jsonl'), 'utf8').split('\n').filter(Boolean);
  const sent = new Set(lines.map((line) => (JSON.parse(line) as { key: string }).key));
  const dead = await direct.query<{ id: string; key: string }>(`
    SELECT id::text AS id, job_type || ':' || idempotency_key || ':send' AS key FROM duework.job_history WHERE status = 'dead' AND error_code = 'effect_unknown'`);
  const answers = { happened: 0, repeated: 0 };
  for (const { id, key } of dead) {
    const effectsHappened = sent.has(key);
    await retryJob(db, id, { effectsHappened });
    answers[effectsHappened ? 'happened' : 'repeated'] += 1;
  }
  return answers;
}

const LOOK_MS = 100;
/** How many of the runs that are left are explained. */
const EXPLAINED = 20;

interface DrainOptions {
  readonly people: People;
  readonly db: PrismaClient;
  readonly direct: DirectSession;
  readonly dir: string;
  readonly write: WriteEvent;
  readonly say: (line: string) => void;
}

/** Ends the enqueueing and waits, as long as was promised, until every run has ended. */
export async function drain({ people, db, direct, dir, write, say }: DrainOptions): Promise<Drained> {
  await endPeople(people, db);
  write('drain.begun', {});
  const begunMs = nowMs();
  const unknown = { happened: 0, repeated: 0 };
  let live = 0;
  do {
    await pause(LOOK_MS);
    const answers = await answerUnknown({ db, direct, dir });
    unknown.happened += answers.happened;
    unknown.repeated += answers.repeated;
    // what is enqueued because of a batch comes when its last end has been added up
    const [row] = await direct.query<{ live: number }>(`
      SELECT (SELECT count(*) FROM duework.job_runs)::int + (SELECT count(DISTINCT batch_id) FROM duework.job_batch_changes)::int AS live`);
    live = row?.live ?? 0;
  } while (live > 0 && nowMs() - begunMs < DRAIN_LIMIT_MS);
  const tookMs = nowMs() - begunMs;
  write('drain.ended', { live });
  say(`drained in ${(tookMs / 1_000).toFixed(1)} s, ${live} left`);
  return { live, tookMs, left: live === 0 ? [] : await explainLeft(db, direct), unknown };
}

/** Why some runs have not ended. */
async function explainLeft(db: PrismaClient, direct: DirectSession): Promise<string[]> {
  const runs = await direct.query<{ id: string; type: string }>(
    `SELECT id::text AS id, job_type AS type FROM duework.job_runs ORDER BY id LIMIT ${EXPLAINED}`,
  );
  const left: string[] = [];
  for (const { id, type } of runs) {
    const why = await explainJob(db, id).catch((error: Error) => ({ sentence: error.message }));
    left.push(`run ${id} (${type}): ${why.sentence}`);
  }
  return left;
}

async function endPeople({ operator, producers }: People, db: PrismaClient): Promise<void> {
  operator.expectEnd();
  await operator.ask('stop');
  for (const { key } of SCHEDULES) await pauseSchedule(db, key);
  for (const producer of producers) {
    producer.expectEnd();
    await producer.ask('stop');
    producer.signal('SIGKILL');
  }
  operator.signal('SIGKILL');
}
