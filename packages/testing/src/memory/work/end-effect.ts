import type { EffectEnding, EffectKey } from '@duework/queue-core/ports';
import { keyOf, type MemoryTables } from '../tables/memory-tables.js';

/** Writes how an effect ended, only where this claim began it. false: another claim has taken it over meanwhile. */
export function endEffect(
  tables: MemoryTables,
  { type, runKey, name }: EffectKey,
  claim: { readonly id: string; readonly fence: number },
  ending: EffectEnding,
): boolean {
  const effects = tables.effects.get(keyOf(type, runKey));
  const effect = effects?.get(name);
  if (effect === undefined) return false;
  const isOurs = effect.status === 'started' && effect.runId === claim.id && effect.fence === claim.fence;
  // that an effect happened is a fact, whoever reports it
  const isAnswer = ending.kind === 'done' && (effect.status === 'unknown' || effect.status === 'approved');
  if (!isOurs && !isAnswer) return false;
  if (ending.kind === 'undone') {
    effects!.delete(name);
    if (effects!.size === 0) tables.effects.delete(keyOf(type, runKey));
    return true;
  }
  effect.status = ending.kind === 'not_repeated' ? 'approved' : ending.kind;
  if (ending.kind === 'done') effect.resultJson = ending.resultJson;
  return true;
}
