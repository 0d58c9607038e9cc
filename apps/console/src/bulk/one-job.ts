import { formatFilter } from '@duework/filter';
import type { WrittenField } from '../json/list-fields.js';
import { NO_CHOICE, type BulkChoice, type Verb } from './bulk-choice.js';
import { filterOfJobs, type SelectedJob } from './filter-of-jobs.js';

/** One job that a verb of many is for: its dialog begins with what the job has. */
export interface OneJob extends SelectedJob {
  readonly type: string;
  readonly runAt: string;
  readonly priority: number;
  readonly queue: string;
  /** Of its payload; none where that is withheld. */
  readonly fields: readonly WrittenField[];
}

/** The verbs of many for which one job may be, each in its status; retry and cancel have routes of their own. */
export function listOneVerbs({ status }: SelectedJob, { hasKey, hasFields }: { hasKey: boolean; hasFields: boolean }) {
  const isWaiting = status === 'queued' || status === 'failed';
  const isBack = status === 'dead' || status === 'cancelled';
  const verbs: readonly (Verb | false)[] = [
    isWaiting && 'reschedule',
    isWaiting && 'change_priority',
    isWaiting && 'change_queue',
    (isWaiting || isBack) && hasFields && 'edit_payload',
    isBack && hasKey && 'free_key',
    isBack && 'delete',
  ];
  return verbs.filter((verb) => verb !== false);
}

/** Its filter names the type, by whose contract a payload is edited. */
export const filterOfOne = (job: OneJob): string =>
  `${formatFilter({ terms: [{ field: 'type', isNot: false, values: [job.type] }] })} ${filterOfJobs([job])}`;

/** What a dialog begins with. */
export function choiceOfOne({ runAt, priority, queue }: OneJob): BulkChoice {
  return { ...NO_CHOICE, runAt: toLocal(new Date(runAt)), priority: String(priority), queue };
}

/** As an input of the type `datetime-local` has it: to the minute, in the zone of the browser. */
export function toLocal(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
