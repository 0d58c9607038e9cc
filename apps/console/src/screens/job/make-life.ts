import type { Schemas } from '../../api/api-types.js';
import { numberRounds } from './number-rounds.js';

type Job = Schemas['JobDetail'];
export type Outcome = Schemas['JobAttempt']['outcome'] | 'running';

/** A stretch of a job's life. `over`: it was, until somebody brought it back. `to` of the one that goes on is now, and of `later` the moment when it is due. */
export type Stretch = { readonly from: number; readonly to: number } & (
  | { readonly kind: 'waiting' | 'backoff' | 'over' | 'later' | 'suspended' }
  | { readonly kind: 'attempt'; readonly attempt: number; readonly outcome: Outcome }
);

/** What a job did from its enqueue until now, stretch by stretch; `now` in milliseconds. `isSuspended`: its handler waits. */
export function makeLife(job: Job, now: number, isSuspended = false): readonly Stretch[] {
  const life: Stretch[] = [];
  let at = Date.parse(job.createdAt);
  const rounds = numberRounds(job);
  let round = 0;
  function wait(to: number, ofRound = round): void {
    if (to > at) life.push({ kind: round === 0 ? 'waiting' : ofRound > round ? 'over' : 'backoff', from: at, to });
    at = Math.max(at, to);
  }
  function work(claimedAt: string, to: number, attempt: number, outcome: Outcome, ofRound = rounds.now): void {
    wait(Date.parse(claimedAt), ofRound);
    life.push({ kind: 'attempt', from: at, to: Math.max(at, to), attempt, outcome });
    at = Math.max(at, to);
    round = ofRound;
  }

  for (const [nr, { claimedAt, finishedAt, attempt, outcome }] of job.attemptHistory.entries())
    work(claimedAt, Date.parse(finishedAt), attempt, outcome, rounds.past[nr]);
  if (job.status === 'running' && job.claimedAt !== null) work(job.claimedAt, now, job.attempts, 'running');
  else if (job.status === 'succeeded' && job.claimedAt !== null) {
    // it is in the history as well where its contract keeps its logs
    if (job.attemptHistory.at(-1)?.outcome !== 'succeeded')
      work(job.claimedAt, Date.parse(job.finishedAt!), job.attempts, 'succeeded');
  } else if (job.finishedAt !== null) {
    // a dead job ended with its last attempt, so a wait of less than a second is the clock's
    if (job.status === 'cancelled' || Date.parse(job.finishedAt) - at > 1_000) wait(Date.parse(job.finishedAt));
  } else if (isSuspended && job.snoozedAt !== null) {
    wait(Date.parse(job.snoozedAt));
    life.push({ kind: 'suspended', from: at, to: Math.max(at, now) });
  } else {
    wait(now);
    const due = Date.parse(job.runAt);
    if (due > now) life.push({ kind: 'later', from: now, to: due });
  }
  return life;
}
