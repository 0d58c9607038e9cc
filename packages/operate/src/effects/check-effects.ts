import { DueworkError, type Queryable, readNow } from '@duework/queue-core';
import { type EffectCheck, judgeEffects } from './effect-check.js';
import { findDoubtfulEffects } from './sql/find-doubtful-effects.js';
import { findUnrecordedJobs } from './sql/find-unrecorded-jobs.js';
import { findKnownTypes } from './sql/find-known-types.js';

export interface EffectCheckOptions {
  readonly type: string;
  /** When the effects were begun and the attempts ended; 24 hours ago unless given. */
  readonly since?: Date | undefined;
  /** Not included; now unless given. */
  readonly until?: Date | undefined;
}

const DAY_MS = 86_400_000;

/**
 * Whether what is recorded proves that jobs of a type did nothing twice between two moments, and what has to be looked at. Of
 * each kind of doubt it names the first 100. What retention has deleted is not known. Throws `unknown_job_type`,
 * `invalid_option`, and `span_too_wide`, with a moment up to which it can be checked, beyond 100,000 effects or 10,000 attempts.
 */
export async function checkEffects(db: Queryable, { type, since, until }: EffectCheckOptions): Promise<EffectCheck> {
  const knownTypes = await findKnownTypes(db);
  if (!knownTypes.includes(type)) throw new DueworkError('unknown_job_type', { type, knownTypes });
  const untilMs = until?.getTime() ?? (await readNow(db));
  const span = { type, sinceMs: since?.getTime() ?? untilMs - DAY_MS, untilMs };
  if (!(span.sinceMs < untilMs))
    throw new DueworkError('invalid_option', {
      option: 'since',
      expected: `before ${new Date(untilMs).toISOString()}`,
      value: since?.toISOString(),
    });
  const effects = await findDoubtfulEffects(db, span);
  const unrecorded = await findUnrecordedJobs(db, span);
  return judgeEffects({ type, since: new Date(span.sinceMs), until: new Date(untilMs), ...effects, ...unrecorded });
}
