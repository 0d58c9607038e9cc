import type { Readers } from './sql/find-readers.js';

export type Missing = 'worker' | 'type' | 'queue' | 'version';

/** What is missing where no worker is able: any worker, one for the type, for the queue, or for the version. */
export function findMissing({ workers, ofType, ofQueue }: Readers): Missing {
  return workers === 0 ? 'worker' : ofType === 0 ? 'type' : ofQueue === 0 ? 'queue' : 'version';
}
