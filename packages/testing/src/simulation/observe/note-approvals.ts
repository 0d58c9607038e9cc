import type { MemoryTables } from '../../memory/tables/memory-tables.js';
import type { EffectLedger } from './effect-ledger.js';

/**
 * Notes which unknown effects a person settles by retrying a run: call it before the retry, and the returned function
 * after.
 */
export function noteApprovals(tables: MemoryTables, ledger: EffectLedger, id: string): () => void {
  const open: { readonly key: string; readonly effect: { readonly status: string } }[] = [];
  for (const [place, effects] of tables.effects) {
    for (const [name, effect] of effects)
      if (effect.runId === id && effect.status === 'unknown')
        open.push({ key: `${place.replace('\n', ':')}:${name}`, effect });
  }
  return () => {
    for (const { key, effect } of open) {
      if (effect.status === 'approved') ledger.approve(key);
      if (effect.status === 'done') ledger.confirm(key);
    }
  };
}
