import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { retryJob } from '@duework/queue-core';
import type { PrismaClient } from '@duework/database';
import type { DirectSession } from './servers/open-direct.js';

/**
 * Answers the open effects in an operator's place, when the faults are over: checks whether each mail was sent, and
 * says so.
 *
 * @returns how many effects had happened, and how many are done again
 */
export async function answerUnknown({
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
