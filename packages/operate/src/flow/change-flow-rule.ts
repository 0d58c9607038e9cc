import { type Act, DueworkError, type Queryable } from '@duework/queue-core';
import { checkAct } from '@duework/queue-core/internals';
import type { FlowChange, FlowPreview, FlowRuleState, RuleTerms } from './flow-rule.js';
import { kindOfRule } from './kind-of-rule.js';
import { showFlowRule } from './list-flow-rules.js';
import { readChange } from './read-change.js';
import { previewChange, type StoredChange, updateFlowRule } from './sql/update-flow-rule.js';

/**
 * Overrides a rule, whatever deploys declare, until you take it back: a field by null, all by `change` null. Jobs with
 * room are let in within a second. If you lower a limit, running jobs continue. Throws `flow_rule_not_found`,
 * `invalid_option`.
 */
export async function changeFlowRule(
  db: Queryable,
  name: string,
  change: FlowChange | null,
  act: Act = {},
): Promise<FlowRuleState> {
  checkAct(act);
  checkBurst(await updateFlowRule(db, name, readStored(name, change), act), name, change);
  return showFlowRule(db, name);
}

/** Shows what such a change would do. Throws what `changeFlowRule` throws. */
export async function previewFlowRule(db: Queryable, name: string, change: FlowChange | null): Promise<FlowPreview> {
  const preview = await previewChange(db, name, readStored(name, change));
  checkBurst(preview && preview.after, name, change);
  return preview!;
}

function readStored(name: string, change: FlowChange | null): StoredChange {
  const kind = kindOfRule(name);
  return change === null ? null : readChange(kind, change);
}

/** As in a contract, a burst is at most the bound that then holds. Throws `invalid_option`, and `flow_rule_not_found` where no rule does. */
function checkBurst(after: RuleTerms | null, rule: string, change: FlowChange | null): void {
  if (after === null) throw new DueworkError('flow_rule_not_found', { rule });
  const [burst, max] = [change?.burst ?? 0, after.max ?? Infinity];
  if (burst > max)
    throw new DueworkError('invalid_option', {
      option: 'burst',
      expected: `a whole number from 1 to max, ${max}`,
      value: burst,
    });
}
