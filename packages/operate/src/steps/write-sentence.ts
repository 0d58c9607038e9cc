import type { JobStep } from './job-step.js';

/** What a step waits for, or how it has ended. `hasCome`: what it waited for, before its time was over. */
export function writeSentence(
  { status, kind, of, key, until, end, error }: Omit<JobStep, 'sentence'>,
  hasCome: boolean,
): string {
  const isWaiting = status === 'waiting';
  const time = until === null ? '' : ` until ${until.toISOString()}`;
  const why = error === null ? '' : `${error.code}: ${error.message}`;
  if (kind === 'work') return error === null ? 'done' : `failed with ${why}`;
  if (kind === 'time') return `${isWaiting ? 'sleeps' : 'slept'}${time}`;
  if (kind === 'signal') {
    const signal = `the signal ${of}${key === null ? '' : `, key ${key}`}`;
    if (isWaiting) return `waits for ${signal}${time && `,${time}`}`;
    return `${signal}, ${hasCome ? 'has come' : `did not come${time}`}`;
  }
  if (isWaiting) return `waits for job ${of}${time && `,${time}`}`;
  if (end === null) return `job ${of} has not ended${time}`;
  return end === 'succeeded' ? `job ${of} has succeeded` : `job ${of} is ${end}${why && `: ${why}`}`;
}
