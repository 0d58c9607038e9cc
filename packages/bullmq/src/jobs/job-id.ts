import { randomBytes } from 'node:crypto';
import { QueueKeys } from 'bullmq';

/** BullMQ's own id of a job, within its queue. */
export interface PlacedId {
  readonly queue: string;
  readonly id: string;
}

/** What BullMQ keeps beside the jobs of a queue, under names where an id could stand. */
const TAKEN: ReadonlySet<string> = new Set([...Object.keys(new QueueKeys().getKeys('any')), 'delay', 'priority', 'dn']);

/**
 * Other programs give their jobs whatever ids they like, without a colon or of three parts between colons. Those of BullMQ's
 * schedulers begin with `repeat:`: they are left alone, because whoever runs one has to make the next one.
 */
const OUTSIDE = /^([A-Za-z][A-Za-z0-9_.-]{0,62}):(?!repeat:)([^:]+(?::[^:]+:[^:]+)?)$/su;

/** The id of a job as everybody outside knows it: `mail:r0mi2…`. */
export function toJobId({ queue, id }: PlacedId): string {
  return `${queue}:${id}`;
}

/** The queue and the id within it; null: the text is no id of this store. */
export function readJobId(text: string): PlacedId | null {
  const [, queue, id] = OUTSIDE.exec(text) ?? [];
  return queue === undefined || id === undefined || TAKEN.has(id) ? null : { queue, id };
}

const OF_SCHEDULER = /^([A-Za-z][A-Za-z0-9_.-]{0,62}):(repeat:.+)$/su;

/** The same, also of a job that a scheduler of BullMQ's has made: for those that move jobs, and run none. */
export function readMovedId(text: string): PlacedId | null {
  const [, queue, id] = OF_SCHEDULER.exec(text) ?? [];
  return queue === undefined || id === undefined ? readJobId(text) : { queue, id };
}

let lastMs = 0;
let count = 0;

/**
 * An id that no other job has: later ones sort behind earlier ones, those of one process in the order in which they were
 * made. It is no number, and has no colon, because BullMQ takes neither.
 */
export function makeJobId(nowMs: number): string {
  count = nowMs === lastMs ? count + 1 : 0;
  lastMs = nowMs;
  const place = nowMs.toString(36).padStart(9, '0') + count.toString(36).padStart(4, '0');
  return `r${place}${randomBytes(4).toString('hex')}`;
}

/** Whether Duework has made the id, and no other program; of what was forwarded the notes say so (`isOwn`). */
export const isOwnId = (id: string): boolean => /^r[a-z0-9]{13}[a-f0-9]{8}$/.test(id);

/** The id of the job that a forward of a database becomes, however often it is carried. */
export function toForwardedId(from: string, forwardId: string): string {
  return `f${from}-${forwardId}`;
}

/** Whether a forward may have become the job of that id; another program may have chosen one like it. */
export const isForwardedId = (id: string): boolean => /^f[a-z0-9_]+-\d+$/.test(id);
