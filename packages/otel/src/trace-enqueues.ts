import { context, type Span, SpanStatusCode } from '@opentelemetry/api';
import { classifyError, instrumentEnqueue, type JobToSend, type SendJobs, type SentJob } from '@duework/queue-core';
import { readSeconds } from './clock.js';
import { getInstruments } from './get-instruments.js';
import { DEDUPLICATED, ERROR_TYPE, MESSAGE_ID } from './names.js';
import { startSendSpans, type SendSpans } from './send-spans.js';

export interface EnqueueTraceOptions {
  /**
   * In a batch of up to this many jobs each gets its own span; larger ones share one. Default 100; 0: they always do.
   */
  readonly createSpansUpTo?: number;
  /** Whether the baggage of the active context is kept with the job, in plain text; default true. */
  readonly baggage?: boolean;
}

/**
 * From now on every enqueue of this process has a span, and its job carries that to the attempts that run it:
 * `enqueue`, `enqueueMany`, queues, and the due times of schedules. Call it once, before or after the SDK is
 * registered. The function that it returns ends it.
 */
export function traceEnqueues({ createSpansUpTo = 100, baggage = true }: EnqueueTraceOptions = {}): () => void {
  instrumentEnqueue((jobs, send) => {
    const spans = startSendSpans(jobs, createSpansUpTo, baggage);
    const startedS = readSeconds();
    context.with(spans.within, send, undefined, spans.metas).then(
      (sent) => end(spans, jobs, sent, startedS),
      (error: unknown) => fail(spans, jobs, error, startedS),
    );
  });
  return () => instrumentEnqueue(null);
}

function end(
  spans: SendSpans,
  jobs: readonly JobToSend[],
  sent: Awaited<ReturnType<SendJobs>>,
  startedS: number,
): void {
  if (sent === null) return failWith(spans, jobs, 'dropped', startedS);
  sent.forEach((job, index) => tellJob(spans.creates[index] ?? (sent.length === 1 ? spans.send : null), job));
  const found = sent.filter(({ isDeduplicated }) => isDeduplicated).length;
  if (found > 0) spans.send.setAttribute(DEDUPLICATED, found);
  for (const span of [...spans.creates, spans.send]) span?.end();
  measure(spans, sent.length, startedS, null);
}

function tellJob(span: Span | null, { id }: SentJob): void {
  span?.setAttribute(MESSAGE_ID, id);
}

/** Without its message: a database quotes values, and this has no contract that tells which of them are sensitive. */
function fail(spans: SendSpans, jobs: readonly JobToSend[], error: unknown, startedS: number): void {
  failWith(spans, jobs, classifyError(error).record.code, startedS);
}

function failWith(spans: SendSpans, jobs: readonly JobToSend[], code: string, startedS: number): void {
  for (const span of [...spans.creates, spans.send])
    span?.setAttribute(ERROR_TYPE, code).setStatus({ code: SpanStatusCode.ERROR }).end();
  measure(spans, jobs.length, startedS, code);
}

function measure({ attributes, within }: SendSpans, count: number, startedS: number, code: string | null): void {
  const told = code === null ? attributes : { ...attributes, [ERROR_TYPE]: code };
  const { sent, sendDuration } = getInstruments();
  sent.add(count, told, within);
  sendDuration.record(readSeconds() - startedS, told, within);
}
