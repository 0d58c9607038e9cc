import type { Duration } from '@duework/contracts';
import { type Act, DueworkError, type Queryable } from '@duework/queue-core';
import { checkAct } from '@duework/queue-core/internals';
import { checkText } from '@duework/sql';
import type { FlowKey } from './flow-rule.js';
import { kindOfRule } from './kind-of-rule.js';
import { readDuration } from './read-change.js';
import { ruleOfKey } from './rule-of-key.js';
import { findFlowKeys } from './sql/find-flow-keys.js';
import { isByValue } from './sql/is-by-value.js';
import { shutKey } from './sql/shut-key.js';

const MAX_KEY = 500;

/**
 * Closes a key, `limit/smtp` or `limit/send_mail.accountId/7`, for a while: no more jobs are let in; those let in
 * continue. Then it opens automatically. Throws `flow_rule_not_found`, `invalid_option`.
 */
export async function closeKey(db: Queryable, key: string, duration: Duration, act: Act = {}): Promise<FlowKey> {
  const ms = readDuration('for', duration);
  if (ms < 1)
    throw new DueworkError('invalid_option', { option: 'for', expected: 'from "1ms" to "3650d"', value: duration });
  return write(db, key, ms, act);
}

/** Opens a key at once; a breaker forgets failures. Throws `flow_rule_not_found`, `invalid_option`. */
export function openKey(db: Queryable, key: string, act: Act = {}): Promise<FlowKey> {
  return write(db, key, null, act);
}

async function write(db: Queryable, key: string, ms: number | null, act: Act): Promise<FlowKey> {
  checkAct(act);
  const rule = ruleOfKey(key);
  kindOfRule(rule);
  checkText('key', key, MAX_KEY);
  // nobody looks at the bare key of a rule that counts for each value by itself
  if (key === rule && (await isByValue(db, rule)))
    throw new DueworkError('invalid_option', {
      option: 'value',
      expected: `which key of ${rule}: it counts for each value by itself`,
      value: null,
    });
  if (!(await shutKey(db, { key, rule, ms, act }))) throw new DueworkError('flow_rule_not_found', { rule });
  const [found] = await findFlowKeys(db, { rule, key, after: null, limit: 1 });
  return found!;
}
