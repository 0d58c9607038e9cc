import type { Queryable } from '@duework/queue-core';
import type { FlowKey, FlowKeyFilter } from './flow-rule.js';
import { showFlowRule } from './list-flow-rules.js';
import { findFlowKeys } from './sql/find-flow-keys.js';

export interface FlowKeyPage {
  readonly keys: readonly FlowKey[];
  /** The last key, to be given as `after` for the next page; null: there is none. */
  readonly nextCursor: string | null;
}

interface ListFlowKeysOptions extends FlowKeyFilter {
  readonly limit?: number;
  readonly after?: string | null;
}

/** The keys of a rule by their text, after `after`, at most `limit`. Throws `flow_rule_not_found`. */
export async function listFlowKeys(
  db: Queryable,
  rule: string,
  { limit = 100, after = null, ...filter }: ListFlowKeysOptions = {},
): Promise<FlowKeyPage> {
  await showFlowRule(db, rule);
  const found = await findFlowKeys(db, { ...filter, rule, after, limit: limit + 1 });
  const keys = found.slice(0, limit);
  return { keys, nextCursor: found.length > limit ? keys.at(-1)!.key : null };
}
