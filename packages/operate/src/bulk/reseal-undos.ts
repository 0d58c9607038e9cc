import type { Json, Queryable } from '@duework/queue-core';
import { currentKeyRing, resealJson } from '@duework/queue-core/internals';
import type { BulkActionRow } from './sql/bulk-action-row.js';
import { readUndoPayloads } from './sql/read-undo-payloads.js';

export interface ResealedUndos {
  /** What is given back instead of what was kept, by the ids of runs. */
  readonly payloads: readonly { readonly id: string; readonly payload: Json }[];
  /** Runs that stay as they are: nobody here could read what they would be given back. */
  readonly lost: readonly string[];
}

/**
 * What the next step of an undo gives back, under the current key: since the edit, the keys may have been rotated, and
 * nothing must bring back what is encrypted with a key that is needed no more. Without a key ring: as it was kept.
 */
export async function resealUndos(db: Queryable, action: BulkActionRow, limit: number): Promise<ResealedUndos> {
  const ring = currentKeyRing();
  const payloads: { id: string; payload: Json }[] = [];
  const lost: string[] = [];
  if (ring === null) return { payloads, lost };
  for (const { id, type, version, payload } of await readUndoPayloads(db, action, limit)) {
    const resealed = resealJson(ring, JSON.stringify(payload), (root) => [
      { holder: root as { value: unknown }, key: 'value', type, version },
    ]);
    if (resealed.missing.length > 0) lost.push(id);
    else if (resealed.isChanged) payloads.push({ id, payload: JSON.parse(resealed.json) as Json });
  }
  return { payloads, lost };
}
