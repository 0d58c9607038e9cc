import type { Span } from '@opentelemetry/api';
import { AbortReason } from '@duework/queue-core';
import { ABORT_CODE, OVERRAN } from './names.js';
import { type AttemptEnd, describeAbort } from './describe-end.js';

/**
 * Notes the abort of an attempt on its span. A handler that ignores its signal may never end, and nobody would see its span:
 * `end` is called without it, `giveUpMs` after the abort. The function that it returns ends the watch.
 */
export function watchAbort(
  signal: AbortSignal,
  span: Span,
  giveUpMs: number,
  end: (ended: AttemptEnd) => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const note = (): void => {
    const { reason } = signal;
    if (!AbortReason.is(reason)) return;
    span.addEvent('attempt.aborted', { [ABORT_CODE]: reason.code });
    timer = setTimeout(() => {
      span.setAttribute(OVERRAN, true);
      end(describeAbort(reason));
    }, giveUpMs).unref();
  };
  signal.addEventListener('abort', note, { once: true });
  return () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', note);
  };
}
