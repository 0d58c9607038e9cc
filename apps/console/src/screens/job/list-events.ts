import type { Schemas } from '../../api/api-types.js';
import { texts } from '../../texts/texts.js';
import { formatDuration } from '../../time/format-duration.js';
import { errorName } from '../../ui/error-name.js';
import type { Outcome } from './make-life.js';
import { numberRounds } from './number-rounds.js';

type Job = Schemas['JobDetail'];
/** What somebody did to the job, alone or in a bulk action. */
export type Deed = Schemas['AuditEntry'];

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

/** What happened to a job, the first first; what is still to come is the last. `deeds`: as far as they may be read. */
export function listEvents(job: Job, { isSuspended, hasWaited }: Waits, deeds: readonly Deed[]): readonly LifeEvent[] {
  const rounds = numberRounds(job);
  const nameAttempt = (attempt: number, round: number): string =>
    rounds.now === 1 ? words.attempt(attempt) : words.attemptOf(attempt, round);
  const events: LifeEvent[] = [{ at: job.createdAt, words: words.enqueued, detail: null, tone: 'plain' }];
  const add = (at: string | null, text: string, tone: LifeEvent['tone'], detail: string | null = null): void => {
    if (at !== null) events.push({ at, words: text, detail, tone });
  };
  for (const [nr, attempt] of job.attemptHistory.entries()) {
    const took = formatDuration(Date.parse(attempt.finishedAt) - Date.parse(attempt.claimedAt));
    const error = [errorName(attempt.errorCode, attempt.errorType), attempt.errorMessage].filter(Boolean).join(': ');
    const text = `${nameAttempt(attempt.attempt, rounds.past[nr]!)} ${words.outcomes[attempt.outcome]}, ${texts.job.took(took)}`;
    add(attempt.finishedAt, text, TONES[attempt.outcome], error || null);
  }
  // that a bulk action has ended says nothing of the job
  for (const deed of deeds)
    if (!/^(finish|abort)_bulk_action$/.test(deed.verb)) add(deed.at, nameDeed(deed), 'plain', deed.reason);
  const isTold = (verb: string): boolean => deeds.some((deed) => deed.verb === verb);
  if (!isTold('cancel'))
    add(
      job.cancelRequestedAt,
      words.cancelRequested(job.cancelRequestedBy ?? words.somebody),
      'cancelled',
      job.cancelReason,
    );
  if (job.status === 'running')
    add(job.claimedAt, `${nameAttempt(job.attempts, rounds.now)} ${words.outcomes.running}`, 'running', job.worker);
  add(job.snoozedAt, hasWaited ? words.suspended : words.snoozed, 'queued');
  if (job.status === 'succeeded' || job.status === 'dead' || job.status === 'cancelled')
    add(job.finishedAt, words[job.status], job.status);
  if (!isTold('acknowledge')) add(job.acknowledgedAt, words.acknowledged, 'plain');
  // when the handler wakes up is said by what it waits for
  if (job.finishedAt === null && job.status !== 'running' && !isSuspended) add(job.runAt, words.due, 'queued');
  return events.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** `retried by person:ana@example.org`, `retried by key:ops in bulk action 12` */
function nameDeed({ kind, verb, target, by, after }: Deed): string {
  const isBulk = kind === 'bulk_action';
  const done = String(verb === 'start_bulk_action' ? after?.['verb'] : verb);
  const named = Object.hasOwn(words.done, done)
    ? words.done[done as keyof typeof words.done]
    : done.replaceAll('_', ' ');
  return isBulk ? words.bulkDeed(named, by, target) : words.deed(named, by);
}
