import { type Span, SpanStatusCode } from '@opentelemetry/api';
import type { AttemptEnd } from './describe-end.js';
import { ERROR_TYPE, OUTCOME } from './names.js';

/** Ends the span of an attempt; an error becomes its status, and what was thrown an event of it. */
export function endProcessSpan(span: Span, { outcome, error }: AttemptEnd): void {
  span.setAttribute(OUTCOME, outcome);
  if (error !== null) {
    const { code, message, exception } = error;
    span.setAttribute(ERROR_TYPE, code);
    span.setStatus({ code: SpanStatusCode.ERROR, ...(message !== null && { message }) });
    if (exception !== null)
      span.recordException({
        name: exception.type,
        ...(message !== null && { message }),
        ...(exception.stack !== null && { stack: exception.stack }),
      });
  }
  span.end();
}
