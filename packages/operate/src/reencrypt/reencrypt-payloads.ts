import type { Catalog } from '@duework/contracts';
import type { Act, KeyRing, Queryable } from '@duework/queue-core';
import { checkAct, type Resealed, resealJson } from '@duework/queue-core/internals';
import { resealObject } from './reseal-object.js';
import { readStoredPayloads } from './sql/read-stored-payloads.js';
import { type ReplacedValue, replacePayloads } from './sql/replace-payloads.js';
import { STORE_NAMES, type StoreName, storeOf } from './sql/stores.js';

export interface ReencryptOptions {
  /** With it, sensitive values in plain text are encrypted as well. */
  readonly catalog?: Catalog;
  /** Called after each batch. */
  readonly onProgress?: (progress: { readonly checked: number; readonly rewritten: number }) => void;
  /** Ends it before its next batch, with the reason of the signal; it can begin again at any time. */
  readonly signal?: AbortSignal;
  /** Who does it: each batch that is rewritten has an entry in the audit. */
  readonly act?: Act;
}

export interface Reencryption {
  readonly checked: number;
  readonly rewritten: number;
  /** Payloads that changed or ran at that time; call again for these. */
  readonly passed: number;
  /** Payloads by the id of the key that the ring does not have, or that has other bytes there. */
  readonly missing: Readonly<Record<string, number>>;
}

/**
 * Encrypts again what an old key encrypted and may still be read: payloads of live, dead and cancelled runs, of what
 * forwards carry, of schedules and of callbacks of batches; values of signals, of bulk edits and their undos; in the store of large payloads, too, if this process has it. It works
 * in batches, each its own statement, beside workers and producers. Once it returns nothing rewritten, passed or
 * missing, you no longer need the old keys.
 */
export async function reencryptPayloads(
  db: Queryable,
  ring: KeyRing,
  { catalog = [], onProgress, signal, act = {} }: ReencryptOptions = {},
): Promise<Reencryption> {
  checkAct(act);
  const by = { act, keyId: ring.currentKeyId };
  const contractOf = new Map(catalog.map((contract) => [contract.type, contract]));
  const total = { checked: 0, rewritten: 0, passed: 0, missing: {} as Record<string, number> };
  const step = async (name: StoreName, after: readonly string[] | null): Promise<readonly string[] | null> => {
    signal?.throwIfAborted();
    const stored = await readStoredPayloads(db, name, after);
    const changed: ReplacedValue[] = [];
    for (const { key, json, ...place } of stored) {
      const partsOf = (root: { readonly value: unknown }) => storeOf(name).partsOf(root, place);
      const reseal = (of: string): Resealed => resealJson(ring, of, partsOf, (type) => contractOf.get(type));
      const resealed = (await resealObject(db, key[0]!, json, ring.currentKeyId, reseal)) ?? reseal(json);
      for (const keyId of resealed.missing) total.missing[keyId] = (total.missing[keyId] ?? 0) + 1;
      if (resealed.isChanged) changed.push({ key, before: resealed.before, json: resealed.json });
    }
    const rewritten = changed.length === 0 ? 0 : await replacePayloads(db, name, changed, by);
    total.checked += stored.length;
    total.rewritten += rewritten;
    total.passed += changed.length - rewritten;
    if (stored.length > 0) onProgress?.({ checked: total.checked, rewritten: total.rewritten });
    return stored.at(-1)?.key ?? null;
  };
  for (const name of STORE_NAMES) {
    let after = await step(name, null);
    while (after !== null) after = await step(name, after);
  }
  return total;
}
