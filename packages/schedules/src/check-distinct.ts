import { DueworkError } from '@duework/queue-core';
import type { ScheduleRequest } from './schedule-request.js';

/** Throws `invalid_option` where a key occurs twice: one statement cannot write a row twice. */
export function checkDistinct(requests: readonly ScheduleRequest[]): void {
  const keys = new Set<string>();
  for (const { options } of requests) {
    if (keys.has(options.key))
      throw new DueworkError('invalid_option', { option: 'key', expected: 'used once in a list', value: options.key });
    keys.add(options.key);
  }
}
