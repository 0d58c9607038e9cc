import { context } from '@opentelemetry/api';
import type { Catalog } from '@duework/contracts';
import type { Middleware } from '@duework/queue-core';
import { readSeconds } from './clock.js';
import { type AttemptEnd, describeFailure, describeOutcome } from './describe-end.js';
import { endProcessSpan } from './end-process-span.js';
import { getInstruments } from './get-instruments.js';
import { ERROR_TYPE } from './names.js';
import { startProcessSpan } from './start-process-span.js';
import { watchAbort } from './watch-abort.js';

export interface HandlerTraceOptions {
  /**
   * `link` (default): each attempt is its own trace, linked to the enqueue, as the conventions ask for. `child`: it is
   * part of the enqueue's trace, however much later.
   */
  readonly parent?: 'link' | 'child';
  /** How long after its abort the span of a handler that ignores its signal is ended without it; default 30 s. */
  readonly giveUpMs?: number;
}

/**
 * A middleware that gives each attempt a span, linked to the enqueue of its job. The handler runs in the context of
 * that span, with the baggage that came with the job. `catalog` is the worker's: its contracts say which values of a
 * payload an error must not show. Outcomes and errors of handlers stay as they are.
 */
export function traceHandlers(
  catalog: Catalog,
  { parent = 'link', giveUpMs = 30_000 }: HandlerTraceOptions = {},
): Middleware {
  const contractOf = new Map(catalog.map((contract) => [contract.type, contract]));
  return async (job, next) => {
    const contract = contractOf.get(job.run.type);
    const { span, within, attributes } = startProcessSpan(job, parent === 'child');
    const { consumed, processDuration } = getInstruments();
    const startedS = readSeconds();
    consumed.add(1, attributes, within);
    let isOver = false;
    const end = (ended: AttemptEnd): void => {
      if (isOver) return;
      isOver = true;
      endProcessSpan(span, ended);
      const told = ended.error === null ? attributes : { ...attributes, [ERROR_TYPE]: ended.error.code };
      processDuration.record(readSeconds() - startedS, told, within);
    };
    const forget = watchAbort(job.signal, span, giveUpMs, end);
    try {
      const outcome = await context.with(within, () => next({}));
      end(describeOutcome(job.run, contract, outcome));
      return outcome;
    } catch (error) {
      end(describeFailure(job, contract, error));
      throw error;
    } finally {
      forget();
    }
  };
}
