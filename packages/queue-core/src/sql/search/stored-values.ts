import type { Job, Json } from '../../queue/job.js';

/** What of a job is JSON that somebody else wrote. */
export type StoredValues = Pick<Job, 'payload' | 'result' | 'progress'>;

/** Of so many characters on a number may be one that JavaScript's numbers cannot hold; an id is a text. */
const LONG_NUMBER = /(?<!["\d.])\d[\d.]{15,}/;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.]{15,}/g;

const texts = new WeakMap<Job, string>();

/** Keeps beside a job the JSON that it was read from, where a number in it may be more than JavaScript's numbers hold. */
export function keepStored(job: Job, json: string): Job {
  if (LONG_NUMBER.test(json)) texts.set(job, json);
  return job;
}

/**
 * The values of a job as they are stored: long numbers are what `mark` makes of their digits, a text. null: they are those that
 * the job has.
 */
export function readStored(job: Job, mark: (digits: string) => string): StoredValues | null {
  const json = texts.get(job);
  if (json === undefined) return null;
  const marked = json.replace(TOKEN, (token) => (token.startsWith('"') ? token : JSON.stringify(mark(token))));
  const { payload, result, progress } = JSON.parse(marked) as { readonly [K in keyof StoredValues]: Json };
  return { payload, result, progress };
}
