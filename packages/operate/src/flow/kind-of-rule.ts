import { DueworkError, findUnstorableText } from '@duework/sql/errors';
import type { RuleKind } from './flow-rule.js';

/**
 * The kind in the name of a rule, `limit` of `limit/smtp`. Throws `flow_rule_not_found` for a name that no rule can have: of another kind, with
 * a value behind it, which makes it a key, or text that PostgreSQL cannot compare with.
 */
export function kindOfRule(name: string): RuleKind {
  const kind = /^(limit|rate|order|tenant|breaker)\/[^/]+$/.exec(name)?.[1];
  if (kind === undefined || findUnstorableText(name) !== null)
    throw new DueworkError('flow_rule_not_found', { rule: name });
  return kind as RuleKind;
}
