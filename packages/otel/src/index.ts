/** `@duework/otel`: spans and metrics of OpenTelemetry, on both sides of the queue. */
export { traceEnqueues, type EnqueueTraceOptions } from './trace-enqueues.js';
export { traceHandlers, type HandlerTraceOptions } from './trace-handlers.js';
