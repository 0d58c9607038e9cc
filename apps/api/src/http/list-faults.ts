import type { z } from 'zod';
import type { Fault } from '../api-error.js';

/** What zod found wrong, as JSON pointers (RFC 6901) below `at`; an unknown field is pointed at by its own name. */
export function listFaults(error: z.ZodError, at = ''): Fault[] {
  return error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [{ pointer: at + toPointer(issue.path), message: describe(issue.message) }];
    return issue.keys.map((key) => ({ pointer: at + toPointer([...issue.path, key]), message: 'There is no such field' }));
  });
}

/** A field that is missing is no wrong type to the person who forgot it. */
function describe(message: string): string {
  return message.endsWith('received undefined') ? 'It is missing' : message;
}

function toPointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
