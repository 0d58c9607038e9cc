import { DueworkError, type Queryable } from '@duework/queue-core';
import type { FlowRuleState } from './flow-rule.js';
import { kindOfRule } from './kind-of-rule.js';
import { findFlowRules } from './sql/find-flow-rules.js';

/** The rules of flow control by name: their terms, and how many runs hold them and wait. */
export function listFlowRules(db: Queryable): Promise<FlowRuleState[]> {
  return findFlowRules(db, null);
}

/** One rule by its name, `limit/smtp`. Throws `flow_rule_not_found`. */
export async function showFlowRule(db: Queryable, name: string): Promise<FlowRuleState> {
  kindOfRule(name);
  const [rule] = await findFlowRules(db, name);
  if (rule === undefined) throw new DueworkError('flow_rule_not_found', { rule: name });
  return rule;
}
