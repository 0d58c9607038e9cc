import type { z } from 'zod';
import { MAX_FAULTS, type Fault } from '../../api-error.js';

/**
 * Turns zod's issues (no more of a kind than an answer lists) into faults at JSON pointers (RFC 6901) below `at`; an
 * unknown field is pointed at by its own name.
 */
export function listFaults(error: z.ZodError, at = ''): Fault[] {
  return error.issues.slice(0, MAX_FAULTS).flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys')
      return [{ pointer: at + toPointer(issue.path), message: describe(issue.message) }];
    return issue.keys
      .slice(0, MAX_FAULTS)
      .map((key) => ({ pointer: at + toPointer([...issue.path, key]), message: 'There is no such field' }));
  });
}

/** To the person who forgot a field, it is missing and not of a wrong type. */
function describe(message: string): string {
  return message.endsWith('received undefined') ? 'It is missing' : message;
}

/** A JSON pointer. */
export function toPointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
