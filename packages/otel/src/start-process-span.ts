import {
  type Attributes,
  type Context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  trace,
} from '@opentelemetry/api';
import type { JobContext } from '@duework/queue-core';
import { getTracer } from './get-tracer.js';
import {
  ATTEMPT,
  DESTINATION_NAME,
  JOB_TYPE,
  JOB_VERSION,
  MESSAGE_ID,
  OPERATION_NAME,
  OPERATION_TYPE,
  SYSTEM,
  WAITED_MS,
} from './names.js';

export interface ProcessSpan {
  readonly span: Span;
  /** In which the handler runs. */
  readonly within: Context;
  /** Of the attempt's metrics. */
  readonly attributes: Attributes;
}

/**
 * Starts the span of an attempt, linked to the context that its job carries, or also a child of it. The handler gets that
 * context's baggage. Whatever is active here is left out: one run's enqueue, or a wake-up, may have started another's attempt.
 */
export function startProcessSpan({ run }: Pick<JobContext, 'run'>, isChild: boolean): ProcessSpan {
  const carried = propagation.extract(ROOT_CONTEXT, run.meta ?? {});
  const creation = trace.getSpanContext(carried);
  const attributes = {
    [SYSTEM]: 'duework',
    [OPERATION_NAME]: 'process',
    [OPERATION_TYPE]: 'process',
    [DESTINATION_NAME]: run.queue,
    [JOB_TYPE]: run.type,
  };
  const around = isChild ? carried : trace.deleteSpan(carried);
  const span = getTracer().startSpan(
    `process ${run.type}`,
    {
      kind: SpanKind.CONSUMER,
      attributes: {
        ...attributes,
        [MESSAGE_ID]: run.id,
        [JOB_VERSION]: run.version,
        [ATTEMPT]: run.attempt,
        [WAITED_MS]: Math.round(run.waitedMs),
      },
      links: creation === undefined ? [] : [{ context: creation }],
    },
    around,
  );
  return { span, within: trace.setSpan(around, span), attributes };
}
