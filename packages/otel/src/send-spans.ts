import {
  context,
  propagation,
  ROOT_CONTEXT,
  type Attributes,
  type Context,
  type Link,
  type Span,
  type SpanContext,
  SpanKind,
  trace,
} from '@opentelemetry/api';
import type { JobToSend, Meta } from '@duework/queue-core';
import { getTracer } from './get-tracer.js';
import {
  DESTINATION_NAME,
  JOB_TYPE,
  JOB_VERSION,
  MESSAGE_COUNT,
  OPERATION_NAME,
  OPERATION_TYPE,
  SCHEDULE,
  SYSTEM,
} from './names.js';

/** The spans of one call that enqueues, and the texts that tell each job's worker of them. */
export interface SendSpans {
  readonly send: Span;
  /** One for each job, where each has one; in their order. null: the job has no span of its own. */
  readonly creates: readonly (Span | null)[];
  readonly metas: readonly (Meta | null)[];
  /** In which the statement is sent. */
  readonly within: Context;
  /** Of the call's metrics. */
  readonly attributes: Attributes;
}

/**
 * Starts the spans of a call. One job: a span of kind producer, whose context the job carries. Several, up to
 * `createSpansUpTo`: a producer's span for each, and one of kind client for the statement, linked to them; more than that share
 * the context of the statement's span. A job to which its caller gave a context of its own keeps that, and is linked to.
 */
export function startSendSpans(jobs: readonly JobToSend[], createSpansUpTo: number, isBaggageSent: boolean): SendSpans {
  const around = jobs.every(({ schedule }) => schedule !== null) ? ROOT_CONTEXT : context.active();
  const own = jobs.map(ownContext);
  const hasCreates = jobs.length > 1 && jobs.length <= createSpansUpTo;
  const creates = jobs.map((job, index) => (hasCreates && own[index] === null ? startCreateSpan(job, around) : null));
  const links = creates.flatMap((span, index): Link[] => {
    const linked = span?.spanContext() ?? own[index] ?? null;
    return linked === null ? [] : [{ context: linked }];
  });
  const isCarried = own.some((given, index) => given === null && creates[index] === null);
  const attributes = sharedAttributes(jobs, 'enqueue', 'send');
  const send = getTracer().startSpan(
    nameOf('enqueue', attributes),
    {
      kind: isCarried ? SpanKind.PRODUCER : SpanKind.CLIENT,
      attributes: {
        ...attributes,
        ...(jobs.length === 1 ? jobAttributes(jobs[0]!) : { [MESSAGE_COUNT]: jobs.length }),
      },
      links,
    },
    around,
  );
  const within = trace.setSpan(around, send);
  const sendMeta = isCarried ? inject(within, isBaggageSent) : null;
  const metas = jobs.map((_, index) => {
    if (own[index] !== null) return null;
    const create = creates[index] ?? null;
    return create === null ? sendMeta : inject(trace.setSpan(around, create), isBaggageSent);
  });
  return { send, creates, metas, within, attributes };
}

function startCreateSpan(job: JobToSend, around: Context): Span {
  const attributes = { ...sharedAttributes([job], 'create', 'create'), ...jobAttributes(job) };
  return getTracer().startSpan(nameOf('create', attributes), { kind: SpanKind.PRODUCER, attributes }, around);
}

/** The context that the caller gave a job itself, which the conventions leave as it is. */
function ownContext({ meta }: JobToSend): SpanContext | null {
  if (meta === null) return null;
  return trace.getSpanContext(propagation.extract(ROOT_CONTEXT, meta)) ?? null;
}

function inject(from: Context, isBaggageSent: boolean): Meta {
  const meta: Record<string, string> = {};
  propagation.inject(isBaggageSent ? from : propagation.deleteBaggage(from), meta);
  return meta;
}

/** What all of them share; without what they do not. */
function sharedAttributes(jobs: readonly JobToSend[], name: string, type: string): Attributes {
  const [first] = jobs;
  const isShared = (of: (job: JobToSend) => string): boolean => jobs.every((job) => of(job) === of(first!));
  return {
    [SYSTEM]: 'duework',
    [OPERATION_NAME]: name,
    [OPERATION_TYPE]: type,
    ...(isShared(({ queue }) => queue) && { [DESTINATION_NAME]: first!.queue }),
    ...(isShared(({ type: jobType }) => jobType) && { [JOB_TYPE]: first!.type }),
  };
}

function jobAttributes({ version, schedule }: JobToSend): Attributes {
  return { [JOB_VERSION]: version, ...(schedule !== null && { [SCHEDULE]: schedule }) };
}

/** With the type of the jobs, where they share one: a queue has many types, and a trace is read by them. */
function nameOf(operation: string, { [JOB_TYPE]: type }: Attributes): string {
  return typeof type === 'string' ? `${operation} ${type}` : operation;
}
