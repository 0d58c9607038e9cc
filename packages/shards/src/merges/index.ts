/** `@duework/shards/merges`: one answer made of those of several shards, as they are in a process or as they are sent. */
export {
  joinIds,
  mergeAction,
  mergeCount,
  mergePreview,
  shareRate,
  splitIds,
  type ActionPart,
  type Count,
  type PreviewPart,
} from './merge-bulk.js';
export { mergeContracts, mergeParses } from './merge-contracts.js';
export { mergeEvents, mergeReplayPreviews, mergeReplays } from './merge-events.js';
export { mergeFailures, mergeFigures, mergeQueues } from './merge-figures.js';
export { mergeFlowPreview, mergeKey, mergeRule, type KeyPart, type RulePart } from './merge-flow.js';
export { mergeAlerts, mergeEffectFacts, mergeReports, ORDERS } from './merge-lists.js';
export { mergeWorkflows } from './merge-workflows.js';
export { by, least, type Part, sums, tagged } from './parts.js';
