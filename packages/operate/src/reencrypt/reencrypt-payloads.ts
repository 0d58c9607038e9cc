import type { Catalog } from '@duework/contracts';
import type { Act, KeyRing, Queryable } from '@duework/queue-core';
import { checkAct } from '@duework/queue-core/internals';
import { readStoredPayloads, STORES, type PayloadStore } from './sql/read-stored-payloads.js';
import { replacePayloads } from './sql/replace-payloads.js';
import { resealPayload } from './reseal-payload.js';

export interface ReencryptOptions {
  /** With it, sensitive values that were stored in plain text are encrypted, too. */
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
  /** Payloads that changed, or whose runs were running, meanwhile: the next call sees what became of them. */
  readonly passed: number;
  /** Payloads by the id of the key that the ring does not have, or that has other bytes there. */
  readonly missing: Readonly<Record<string, number>>;
}

/**
 * Encrypts everything anew that is encrypted with an old key: payloads of live runs, of dead and cancelled ones, which may
 * be brought back, and of schedules. It works in batches, each a statement of its own, beside workers and producers. When
 * it answers with nothing rewritten, nothing passed and nothing missing, the old keys are needed no more.
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
  const step = async (store: PayloadStore, afterId: string): Promise<string | null> => {
    signal?.throwIfAborted();
    const stored = await readStoredPayloads(db, store, afterId);
    const changed = stored.flatMap(({ id, type, version, payload }) => {
      const resealed = resealPayload(ring, { type, version, payload, contract: contractOf.get(type) });
      for (const keyId of resealed.missing) total.missing[keyId] = (total.missing[keyId] ?? 0) + 1;
      return resealed.isChanged ? [{ id, before: payload, payload: resealed.payload }] : [];
    });
    const rewritten = changed.length === 0 ? 0 : await replacePayloads(db, store, changed, by);
    total.checked += stored.length;
    total.rewritten += rewritten;
    total.passed += changed.length - rewritten;
    if (stored.length > 0) onProgress?.({ checked: total.checked, rewritten: total.rewritten });
    return stored.at(-1)?.id ?? null;
  };
  for (const store of STORES)
    for (let afterId: string | null = BEFORE_ALL; afterId !== null;) afterId = await step(store, afterId);
  return total;
}

/** Below every id. */
const BEFORE_ALL = '-9223372036854775808';
