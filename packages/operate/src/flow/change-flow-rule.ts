import { type Act, DueworkError, type Queryable } from '@duework/queue-core';
import { checkAct } from '@duework/queue-core/internals';
import type { FlowChange, FlowPreview, FlowRuleState } from './flow-rule.js';
import { kindOfRule } from './kind-of-rule.js';
import { showFlowRule } from './list-flow-rules.js';
import { readChange } from './read-change.js';
import { previewChange, updateFlowRule } from './sql/update-flow-rule.js';

/**
 * Changes what holds of a rule, from now on and whatever a deploy declares, until somebody takes it back: a part by null,
 * all of it by `change` null. Whoever may go on by it is let in within a second. Runs that are above a lower bound go on
 * until they end. Throws `flow_rule_not_found`, `invalid_option`.
 */
export async function changeFlowRule(
  db: Queryable,
  name: string,
  change: FlowChange | null,
  act: Act = {},
): Promise<FlowRuleState> {
  checkAct(act);
  const stored = change === null ? null : readChange(kindOfRule(name), change);
  if (!(await updateFlowRule(db, name, stored, act))) throw new DueworkError('flow_rule_not_found', { rule: name });
  return showFlowRule(db, name);
}

/** What such a change would do; it changes nothing. Throws what `changeFlowRule` throws. */
export async function previewFlowRule(db: Queryable, name: string, change: FlowChange | null): Promise<FlowPreview> {
  const stored = change === null ? null : readChange(kindOfRule(name), change);
  const preview = await previewChange(db, name, stored);
  if (preview === null) throw new DueworkError('flow_rule_not_found', { rule: name });
  return preview;
}
