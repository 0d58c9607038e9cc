import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/lib/paths.mjs';

const { retryJob } = await import(join(root, 'packages/queue-core/dist/index.js'));

/**
 * What a person does about effects of which nobody knows, when the faults are over: looks whether the mail is there, and says so.
 *
 * @returns {Promise<{ happened: number, repeated: number }>} how many were there, and how many are done again
 */
export async function answerUnknown({ db, direct, dir }) {
  const sent = new Set(
    readFileSync(join(dir, 'effects.jsonl'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).key),
  );
  const dead = await direct.query(`
    SELECT id::text AS id, job_type || ':' || idempotency_key || ':send' AS key FROM duework.job_history WHERE status = 'dead' AND error_code = 'effect_unknown'`);
  const said = { happened: 0, repeated: 0 };
  for (const { id, key } of dead) {
    const effectsHappened = sent.has(key);
    await retryJob(db, id, { effectsHappened });
    said[effectsHappened ? 'happened' : 'repeated'] += 1;
  }
  return said;
}
