import type { Json } from '@duework/queue-core';
import type { EffectAnswer, EffectRequest } from '@duework/queue-core/ports';
import { keyOf, type MemoryEffect, type MemoryTables } from '../tables/memory-tables.js';

/**
 * Writes that an effect is about to happen, only while this claim owns the run. What an earlier claim left as `started`
 * becomes `unknown` where the policy forbids a repeat, until a person decides; otherwise this claim takes it over.
 */
export function beginEffect(
  tables: MemoryTables,
  { id, fence, type, runKey, name, policy }: EffectRequest,
): EffectAnswer {
  if (tables.owned(id, fence) === undefined) return { kind: 'lost' };
  const effects = tables.effects.get(keyOf(type, runKey)) ?? new Map<string, MemoryEffect>();
  const known = effects.get(name);
  if (known?.status === 'done') return { kind: 'done', result: JSON.parse(known.resultJson) as Json };
  const isOthers = known !== undefined && (known.runId !== id || known.fence !== fence);
  const isUnknown =
    known?.status === 'unknown' || (known?.status === 'started' && isOthers && policy === 'at_most_once');
  effects.set(name, { status: isUnknown ? 'unknown' : 'started', runId: id, fence, resultJson: 'null' });
  tables.effects.set(keyOf(type, runKey), effects);
  return isUnknown ? { kind: 'unknown' } : { kind: 'begun', isRepeat: known !== undefined };
}
