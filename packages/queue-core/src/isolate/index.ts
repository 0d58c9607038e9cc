/**
 * `@duework/queue-core/isolated`: all that an isolated handler's module needs, without the machine, which its process would
 * load for every attempt.
 */
export {
  EffectMisuseError,
  EffectUnknownError,
  type EffectContext,
  type Once,
  type OnceOptions,
} from '../effects/once.js';
export { AbortReason, type AbortCode } from '../engine/abort-reason.js';
export { bury, complete, retry, snooze, type Outcome } from '../outcome.js';
export { defineIsolated, type IsolatedContext, type IsolatedFunction } from './isolated.js';
