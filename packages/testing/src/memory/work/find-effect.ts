import type { Json } from '@duework/queue-core';
import type { EffectKey } from '@duework/queue-core/ports';
import { keyOf, type MemoryTables } from '../tables/memory-tables.js';

/** The result of an effect that has happened; null: it has not happened, or that is unknown. */
export function findEffect(tables: MemoryTables, { type, runKey, name }: EffectKey): { result: Json } | null {
  const effect = tables.effects.get(keyOf(type, runKey))?.get(name);
  return effect?.status === 'done' ? { result: JSON.parse(effect.resultJson) as Json } : null;
}
