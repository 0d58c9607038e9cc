/**
 * `@duework/isolation/handler`: everything that an isolated handler's module needs, without the engine, which its
 * process would otherwise load for every attempt.
 */
export {
  AbortReason,
  bury,
  complete,
  EffectMisuseError,
  EffectUnknownError,
  retry,
  snooze,
  type AbortCode,
  type EffectContext,
  type Once,
  type OnceOptions,
  type Outcome,
} from '@duework/queue-core/handling';
export { defineIsolated, type IsolatedContext, type IsolatedFunction } from './define-isolated.js';
