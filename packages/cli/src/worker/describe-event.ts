import { nameSome } from '@duework/database';
import type { WorkerEvent } from '@duework/queue-core';

/** What happened to a job, or to the worker, in a line for people; null: what nobody waits to read. */
export function describeEvent(event: WorkerEvent): string | null {
  switch (event.name) {
    case 'worker.started':
      return `The worker runs ${nameSome(event.types, 8)}.`;
    case 'worker.resized':
      return `The worker runs ${event.slots} jobs at once, instead of ${event.before}.`;
    case 'worker.draining':
      return event.running === 0 ? null : `The worker stops; ${event.running} running.`;
    case 'worker.stopped':
      return 'The worker has stopped.';
    case 'job.succeeded':
      return `${jobOf(event)} succeeded in ${ms(event.ranMs)}`;
    case 'job.failed':
      return `${jobOf(event)} failed, again in ${ms(event.delayMs)}: ${event.error.message}`;
    case 'job.dead':
      return `${jobOf(event)} is dead: ${event.error.message}`;
    case 'job.snoozed':
      return `${jobOf(event)} snoozes for ${ms(event.delayMs)}`;
    case 'job.cancelled':
      return `${jobOf(event)} was cancelled`;
    case 'job.released':
      return `${jobOf(event)} was given back`;
    case 'job.left':
      return `${jobOf(event)} is left for ${ms(event.delayMs)}: the key ${event.keyId} is missing here`;
    case 'job.overran':
      return `${jobOf(event)} ignores its signal`;
    case 'lease.lost':
      return `${jobOf(event)} lost its lease`;
    case 'schedule.fired':
      return `${event.schedule} fired: job ${event.runId}`;
    case 'database.failed':
      return 'The database does not answer.';
    case 'database.recovered':
      return 'The database answers again.';
    case 'loop.blocked':
      return 'A handler blocks the event loop.';
    default:
      return null;
  }
}

const jobOf = ({ run }: { readonly run: { readonly type: string; readonly id: string } }): string =>
  `${run.type} ${run.id}`;

const ms = (value: number): string => (value < 1_000 ? `${Math.round(value)} ms` : `${Math.round(value / 100) / 10} s`);
