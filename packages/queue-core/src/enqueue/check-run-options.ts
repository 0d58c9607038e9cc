import { parseDuration, type Duration } from '@duework/contracts';
import { isMoment } from '@duework/sql';
import { DueworkError } from '@duework/sql/errors';

/** What is asked for of a run, when it is enqueued and when it is changed. */
export interface RunOptions {
  readonly runAt?: Date | undefined;
  readonly delay?: Duration | undefined;
  readonly priority?: number | undefined;
  readonly maxAttempts?: number | undefined;
}

/** Throws `invalid_option` for what no run can have. */
export function checkRunOptions({ runAt, delay, priority, maxAttempts }: RunOptions): void {
  checkOption('priority', priority, isWhole(priority, 0, 9), 'a whole number from 0 (first) to 9 (last)');
  checkOption('maxAttempts', maxAttempts, isWhole(maxAttempts, 1, 1_000), 'a whole number from 1 to 1,000');
  checkOption('runAt', runAt, runAt === undefined || isMoment(runAt), 'a valid Date between the years 1970 and 9999');
  checkOption('delay', delay, runAt === undefined || delay === undefined, 'given without runAt');
}

/** A duration of an option, in milliseconds. Throws `invalid_option`. */
export function readDuration(option: string, value: Duration): number {
  try {
    return parseDuration(value);
  } catch (cause) {
    throw new DueworkError(
      'invalid_option',
      { option, expected: 'a duration such as "30s" or "90d", of at most ten years', value },
      { cause },
    );
  }
}

export function checkOption(option: string, value: unknown, isValid: boolean, expected: string): void {
  if (!isValid) throw new DueworkError('invalid_option', { option, expected, value });
}

const isWhole = (value: number | undefined, from: number, to: number): boolean =>
  value === undefined || (Number.isInteger(value) && value >= from && value <= to);
