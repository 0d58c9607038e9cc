import type { Queryable } from '@duework/queue-core';
import { currentOffload, offloadedIn, putAnew, readOffloaded, type Resealed } from '@duework/queue-core/internals';
import { noteObject } from './sql/note-object.js';

/**
 * What becomes of a stored payload that is in an object, with what is encrypted in it under the current key: a new object,
 * which its row is to name, so that whoever reads the old one at this moment goes on. null: it is in none. Where this process
 * has no store, its keys are missing, as those of a ring are. Throws as `openObject`.
 */
export async function resealObject(
  db: Queryable,
  id: string,
  json: string,
  currentKeyId: string,
  reseal: (json: string) => Resealed,
): Promise<Resealed | null> {
  if (!json.startsWith('{"$offloaded"')) return null;
  const stored = JSON.parse(json) as never;
  const ref = offloadedIn(stored);
  if (ref === null) return null;
  const same = { before: json, json, isChanged: false, missing: [] };
  const old = (ref.keyIds ?? []).filter((keyId) => keyId !== currentKeyId);
  if (currentOffload() === null) return { ...same, missing: old };
  if (old.length === 0) return same;
  const resealed = reseal(JSON.stringify(await readOffloaded(stored)));
  if (!resealed.isChanged) return { ...resealed, ...same, missing: resealed.missing };
  const anew = await putAnew(resealed.json);
  await noteObject(db, anew.key, id, ref.$object);
  return { ...resealed, before: json, json: anew.stored };
}
