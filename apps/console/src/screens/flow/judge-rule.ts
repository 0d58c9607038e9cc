import type { FlowKey, FlowRule } from '../../api/flow-queries.js';
import type { Pause } from '../../api/now-queries.js';
import type { texts } from '../../texts/texts.js';

export type FlowState = keyof typeof texts.flow.states;

/** What of a rule somebody has to know first. */
export function judgeRule(rule: FlowRule, pauses: readonly Pause[]): FlowState {
  if (rule.blocked > 0) return 'blocked';
  if (rule.closed > 0) return rule.kind === 'breaker' ? 'tripped' : 'shut';
  if (rule.trying > 0) return 'trying';
  return isPaused(rule, pauses) ? 'paused' : 'open';
}

/** The same of a key. */
export function judgeKey(key: FlowKey): FlowState {
  if (key.holders.some(({ status }) => status === 'dead')) return 'blocked';
  if (key.closedUntil !== null) return key.breaker === null ? 'shut' : 'tripped';
  return key.breaker === 'trying' ? 'trying' : 'open';
}

function isPaused({ kind, name, types }: FlowRule, pauses: readonly Pause[]): boolean {
  const has = (of: Pause['kind'], wanted: string): boolean =>
    pauses.some((pause) => pause.kind === of && pause.name === wanted);
  if (kind === 'tenant' && has('queue', name.slice('tenant/'.length))) return true;
  return types.length > 0 && types.every((type) => has('type', type));
}
