import { FIELD } from '../jobs/fields.js';
import type { Queues } from '../redis/queues.js';
import { placeOf } from './find-run.js';

/** Of a queue in Redis: what its own jobs have become in the table. The same in each copy of this package. */
export const MOVED_TO = Symbol.for('duework.moved-to');

export interface KnowsMoves {
  [MOVED_TO](id: string): Promise<string | null>;
}

/** Under which id a job is in the table; null: it has not gone there, or there is no such job. Throws `invalid_job_id`. */
export const findMoved = (queues: Queues, id: string): Promise<string | null> =>
  queues.redis.hget(queues.jobKey(placeOf(id)), FIELD.movedTo);
