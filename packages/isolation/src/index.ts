/** Handlers in a process of their own, which a time limit can end: `@duework/isolation`. */
export { defineIsolated, type IsolatedContext, type IsolatedFunction } from './define-isolated.js';
export { isolated } from './isolated.js';
export { IsolationError, type IsolationErrorCode } from './isolation-error.js';
