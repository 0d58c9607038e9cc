import { DueworkError } from '@duework/sql/errors';
import type { NewRun } from '../ports/producer.js';
import { mayNameObjects } from './object-ref.js';

const LIMIT_BYTES = 64 * 1024;

/**
 * Refuses a payload that is stored elsewhere than with a job, if it is large or names objects, because nothing would keep
 * those. Throws `payload_too_large` and `object_not_kept`.
 *
 * @param what - whose payload it is, as the first words of a sentence
 */
export function requireInline(
  { type, payloadJson, isLarge }: Pick<NewRun, 'type' | 'payloadJson'> & { readonly isLarge?: true | undefined },
  what: string,
): void {
  if (isLarge === true)
    throw new DueworkError('payload_too_large', {
      ...{ type, bytes: Buffer.byteLength(payloadJson), limitBytes: LIMIT_BYTES },
    });
  if (mayNameObjects(payloadJson)) throw new DueworkError('object_not_kept', { type, what });
}
