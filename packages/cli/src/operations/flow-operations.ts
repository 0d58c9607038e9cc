import type { Duration } from '@duework/contracts';
import type { FlowChange, FlowKey, FlowKeyPage, FlowPreview, FlowRuleState } from '@duework/operate';
import type { OfShard } from './of-shard.js';

/** What the commands ask of flow control. */
export interface FlowOperations {
  list(): Promise<readonly OfShard<FlowRuleState>[]>;
  keys(
    rule: string,
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<FlowKeyPage & { readonly keys: readonly OfShard<FlowKey>[] }>;
  preview(rule: string, change: FlowChange | null): Promise<FlowPreview>;
  change(rule: string, change: FlowChange | null, reason: string | undefined): Promise<FlowRuleState>;
  close(key: string, duration: Duration, reason: string | undefined): Promise<FlowKey>;
  open(key: string, reason: string | undefined): Promise<FlowKey>;
}
