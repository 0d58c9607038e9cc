import type { ClaimedRun, EmitEvent, ErrorRecord } from '@duework/queue-core';
import type { Log } from './worker-log.js';

/**
 * Turns events into log lines, one each, whose message is the event's name. A line says which job it is about and
 * nothing from inside it: no payload, and no error text, because that may quote one. The text is stored with the job,
 * under the id in the line.
 */
export function logEvents(
  log: Pick<Log, 'info' | 'warn' | 'error'>,
  /** What an error says of where the jobs are: a code, and a sentence without a secret. */
  describe: (error: unknown) => { readonly code: string; readonly problem: string },
  /** The id of a job as those outside of its database know it. */
  nameOf: (id: string) => string = (id) => id,
): EmitEvent {
  const about = ({ type, id, attempt, fence }: ClaimedRun) => ({ type, id: nameOf(id), attempt, fence });
  return (event) => {
    const { name } = event;
    switch (name) {
      case 'worker.started':
        return log.info({ types: event.types, queues: event.queues, concurrency: event.concurrency }, name);
      case 'contract.changed':
        return log.warn({ type: event.type, version: event.version }, name);
      case 'worker.resized':
        return log.info({ slots: event.slots, before: event.before }, name);
      case 'worker.draining':
        return log.info({ running: event.running, buffered: event.buffered, deadlineMs: event.deadlineMs }, name);
      case 'worker.stopped':
        return log.info({ released: event.released, drainMs: round(event.drainMs) }, name);
      case 'job.claimed':
        return log.info({ ...about(event.run), waitedMs: round(event.run.waitedMs) }, name);
      case 'job.succeeded':
        return log.info({ ...about(event.run), result: 'succeeded', ranMs: round(event.ranMs) }, name);
      case 'job.failed':
        return log.warn(
          {
            ...about(event.run),
            result: 'failed',
            ranMs: round(event.ranMs),
            ...why(event.error),
            retryInMs: event.delayMs,
          },
          name,
        );
      case 'job.dead':
        return log.error({ ...about(event.run), result: 'dead', ranMs: round(event.ranMs), ...why(event.error) }, name);
      case 'job.snoozed':
        return log.info(
          { ...about(event.run), result: 'snoozed', ranMs: round(event.ranMs), againInMs: event.delayMs },
          name,
        );
      case 'job.cancelled':
        return log.info({ ...about(event.run), result: 'cancelled', ranMs: round(event.ranMs) }, name);
      case 'job.released':
        return log.info({ ...about(event.run), result: 'released', reason: event.reason }, name);
      case 'job.left': {
        const { code, keyId, delayMs } = event;
        return log.warn({ ...about(event.run), result: 'left', code, keyId, againInMs: delayMs }, name);
      }
      case 'job.overran':
        return log.warn({ ...about(event.run), ranMs: round(event.ranMs) }, name);
      case 'lease.lost':
        return log.warn({ ...about(event.run), result: 'lost', during: event.during }, name);
      case 'run.expired':
        return log.info({ id: nameOf(event.expired.id), type: event.expired.type }, name);
      case 'run.rescued': {
        const { id, type, attempt, status, worker } = event.rescued;
        return log.warn({ type, id: nameOf(id), attempt, result: status, lostWorker: worker }, name);
      }
      case 'worker.vanished':
        return log.warn({ vanished: event.vanished }, name);
      case 'history.pruned':
        return log.info({ made: event.made, dropped: event.dropped }, name);
      case 'index.rebuilt':
        return log.info({ index: event.index, beforeBytes: event.beforeBytes, afterBytes: event.afterBytes }, name);
      case 'index.left':
        return log.warn({ index: event.index, reason: event.reason, who: event.who }, name);
      case 'gates.changed': {
        const { types, looked, changed, unusable, isAll } = event;
        return log[unusable > 0 ? 'warn' : 'info']({ types, looked, changed, unusable, isAll }, name);
      }
      case 'schedule.fired': {
        const { schedule, type, dueAt, runId, lateMs } = event;
        return log.info({ schedule, type, dueAt: dueAt.toISOString(), id: nameOf(runId), lateMs }, name);
      }
      case 'schedule.skipped': {
        const { schedule, type, dueAt, reason, count } = event;
        return log.warn({ schedule, type, dueAt: dueAt.toISOString(), reason, count }, name);
      }
      case 'schedule.failed':
        return log.error({ schedule: event.schedule, type: event.type, code: event.code }, name);
      case 'alert.raised':
      case 'alert.resolved': {
        const { name: alert, subject, severity, status, facts, raisedAt, resolvedAt } = event.alert;
        const about = { alert, subject, severity, facts, raisedAt: raisedAt.toISOString() };
        if (resolvedAt === null) return log.error({ ...about, status }, name);
        return log.info({ ...about, status, resolvedAt: resolvedAt.toISOString() }, name);
      }
      case 'loop.blocked':
        return log.warn(
          {
            blockedMs: round(event.blockedMs),
            isCertain: event.isCertain,
            suspects: event.suspects.map(({ run }) => about(run)),
          },
          name,
        );
      case 'database.failed': {
        const { code, problem } = describe(event.error);
        return log.error({ during: event.during, failures: event.failures, code, problem }, name);
      }
      case 'database.recovered':
        return log.info({ during: event.during, failures: event.failures }, name);
      default:
        // an event without a log line does not compile
        event satisfies never;
    }
  };
}

function why({ code, type }: ErrorRecord) {
  return { errorCode: code, errorType: type };
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
