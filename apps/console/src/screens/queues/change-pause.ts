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

/** Pauses or resumes a queue or a type. */
export async function changePause({ kind, name, isPause, reason, until }: PauseChange): Promise<void> {
  const why = reason === '' ? {} : { reason };
  const body = { ...why, ...(until === null ? {} : { until }) };
  if (kind === 'queue')
    await (isPause
      ? callApi('pauseQueue', { params: { queue: name }, body })
      : callApi('resumeQueue', { params: { queue: name }, body: why }));
  else
    await (isPause
      ? callApi('pauseType', { params: { type: name }, body })
      : callApi('resumeType', { params: { type: name }, body: why }));
}
