import type { Pause } from '../../api/now-queries.js';
import { callApi } from '../../api/call-api.js';

interface PauseChange {
  readonly kind: Pause['kind'];
  readonly name: string;
  readonly isPause: boolean;
  /** Empty: none. */
  readonly reason: string;
  /** ISO 8601 text; null: until somebody resumes it. */
  readonly until: string | null;
}

/** Pauses or resumes a queue or a type. Returns the answer, which says in which shards it was not done. */
export async function changePause({ kind, name, isPause, reason, until }: PauseChange): Promise<unknown> {
  const why = reason === '' ? {} : { reason };
  const body = { ...why, ...(until === null ? {} : { until }) };
  if (kind === 'queue')
    return isPause
      ? callApi('pauseQueue', { params: { queue: name }, body })
      : callApi('resumeQueue', { params: { queue: name }, body: why });
  return isPause
    ? callApi('pauseType', { params: { type: name }, body })
    : callApi('resumeType', { params: { type: name }, body: why });
}
