import { APPROVAL_SIGNAL } from '@duework/queue-core/internals';
import type { JobStep } from './job-step.js';

/** What a step waits for, or how it has ended. `hasCome`: what it waited for, before its time was over. */
export function writeSentence(
  { status, kind, of, key, until, end, error }: Omit<JobStep, 'sentence'>,
  hasCome: boolean,
): string {
  const isWaiting = status === 'waiting';
  const time = until === null ? '' : ` until ${until.toISOString()}`;
  const why = [error?.code, error?.message].filter((part) => part !== undefined && part !== null).join(': ');
  // by an operator
  if (kind !== 'work' && kind !== 'child' && end === null && error !== null)
    return error.message === null ? 'failed by hand' : `failed by hand: ${error.message}`;
  if (kind === 'work') return error === null ? 'done' : `failed with ${why}`;
  if (kind === 'time') return `${isWaiting ? 'sleeps' : 'slept'}${time}`;
  if (kind === 'signal') {
    if (of === APPROVAL_SIGNAL)
      return isWaiting
        ? `waits for a decision${time && `,${time}`}`
        : hasCome
          ? 'decided'
          : `nobody has decided${time}`;
    const signal = `the signal ${of}${key === null ? '' : `, key ${key}`}`;
    if (isWaiting) return `waits for ${signal}${time && `,${time}`}`;
    return `${signal}, ${hasCome ? 'has come' : `did not come${time}`}`;
  }
  const job = of === null ? 'another job' : `job ${of}`;
  if (isWaiting) return `waits for ${job}${time && `,${time}`}`;
  // whoever asks may not see how
  if (of === null) return 'the other job has ended, or the time is over';
  if (end === null) return `${job} has not ended${time}`;
  return end === 'succeeded' ? `${job} has succeeded` : `${job} is ${end}${why && `: ${why}`}`;
}
