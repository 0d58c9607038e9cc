import type { Schemas } from '../../api/api-types.js';
import { texts } from '../../texts/texts.js';
import { formatDuration } from '../../time/format-duration.js';
import type { Outcome } from './make-life.js';

type Job = Schemas['JobDetail'];

/** Something that happened to a job, for its list of events. */
export interface LifeEvent {
  readonly at: string;
  readonly words: string;
  readonly detail: string | null;
  readonly tone: Job['status'] | 'plain';
}

/** Whether its handler waits now, and whether it ever has: then it was that when it was snoozed last. */
export interface Waits {
  readonly isSuspended: boolean;
  readonly hasWaited: boolean;
}

const words = texts.job.lifeWords;
const TONES: Readonly<Record<Outcome, LifeEvent['tone']>> = {
  failed: 'failed',
  lost: 'dead',
  interrupted: 'cancelled',
  cancelled: 'cancelled',
  running: 'running',
  succeeded: 'succeeded',
};

/** What happened to a job, the first first; what is still to come is the last. */
export function listEvents(job: Job, { isSuspended, hasWaited }: Waits): readonly LifeEvent[] {
  const events: LifeEvent[] = [{ at: job.createdAt, words: words.enqueued, detail: null, tone: 'plain' }];
  const add = (at: string | null, text: string, tone: LifeEvent['tone'], detail: string | null = null): void => {
    if (at !== null) events.push({ at, words: text, detail, tone });
  };
  for (const attempt of job.attemptHistory) {
    const took = formatDuration(Date.parse(attempt.finishedAt) - Date.parse(attempt.claimedAt));
    const error = [attempt.errorCode ?? attempt.errorType, attempt.errorMessage].filter(Boolean).join(': ');
    const text = `${words.attempt(attempt.attempt)} ${words.outcomes[attempt.outcome]}, ${texts.job.took(took)}`;
    add(attempt.finishedAt, text, TONES[attempt.outcome], error || null);
  }
  add(
    job.cancelRequestedAt,
    words.cancelRequested(job.cancelRequestedBy ?? words.somebody),
    'cancelled',
    job.cancelReason,
  );
  if (job.status === 'running')
    add(job.claimedAt, `${words.attempt(job.attempts)} ${words.outcomes.running}`, 'running', job.worker);
  add(job.snoozedAt, hasWaited ? words.suspended : words.snoozed, 'queued');
  if (job.status === 'succeeded' || job.status === 'dead' || job.status === 'cancelled')
    add(job.finishedAt, words[job.status], job.status);
  add(job.acknowledgedAt, words.acknowledged, 'plain');
  // when the handler wakes up is said by what it waits for
  if (job.finishedAt === null && job.status !== 'running' && !isSuspended) add(job.runAt, words.due, 'queued');
  return events.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}
