import { encodeJson, readOutcome } from '@duework/queue-core/handling';
import type { HandlerLog } from '@duework/queue-core';
import type { WireOutcome } from '../wire/messages.js';

/**
 * What a handler returned, as plain JSON. The work is done, so a result that cannot leave the thread is left out, with a
 * warning in the log.
 */
export function encodeOutcome(given: unknown, log: HandlerLog): WireOutcome {
  const outcome = readOutcome(given);
  return outcome.kind === 'complete' ? { kind: 'complete', json: toJson(outcome.result ?? null, log) } : outcome;
}

function toJson(result: unknown, log: HandlerLog): string {
  try {
    return encodeJson(result, (reason) => new TypeError(reason));
  } catch (error) {
    log.warn({ error: (error as Error).message }, 'the result of this run cannot leave its thread and is left out');
    return 'null';
  }
}
