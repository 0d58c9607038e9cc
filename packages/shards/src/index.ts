/** One queue over several databases: `@duework/shards`. */
export { AskShards, type Answers, problemOf } from './ask-shards.js';
export { carryForwards } from './carry-forwards.js';
export { forgetCarried } from './sql/carry-jobs.js';
export { freeForwardedKeys, type TypeKey } from './sql/free-forwarded-keys.js';
export { FAILED_BEFORE_MOVE, insertDeadRuns, type DeadRun, type Death } from './sql/insert-dead-runs.js';
export { turnIntoForwards } from './sql/turn-into-forwards.js';
export { writeOnce, type CarriedRun, type Noted } from './carry-into-shard.js';
export { chooseShard } from './choose-shard.js';
export { checkShards, type CheckedShards } from './check-shards.js';
export { forward } from './forward.js';
export { forwardWaiting, type ForwardedWaiting } from './forward-waiting.js';
export type { CarriedForward, ForwardTarget, ForwardTargets } from './forward-target.js';
export { originOf } from './origin-of.js';
export { forwardJob, type Forward, type Forwarded } from './forward-contract.js';
export { closeShard, countLiveJobs, foundShard, readShard, type ShardRow } from './found-shard.js';
export { mergePages, type Mergeable } from './merge-pages.js';
export { openShards } from './open-shards.js';
export { parseShardUrls, type ShardUrls } from './parse-shard-urls.js';
export { checkShardName, nameId, splitId } from '@duework/queue-core/internals';
export type {
  Gathered,
  ShardClients,
  ShardDepth,
  ShardOf,
  ShardPause,
  ShardProblem,
  Shards,
  ShardsOptions,
} from './shards.js';
