import { encodeJson, type Outcome } from '@duework/queue-core/handling';
import type { HandlerLog } from '@duework/queue-core';
import type { WireOutcome } from '../wire/messages.js';

/**
 * A handler's outcome as plain JSON. The work is done, so a result that cannot leave the thread is left out, with a
 * warning in the log. Throws `TypeError` for a value that is no outcome, which only a module without types can return.
 */
export function encodeOutcome(outcome: Outcome<unknown> | void | null, log: HandlerLog): WireOutcome | null {
  if (outcome === undefined || outcome === null) return null;
  switch (outcome.kind) {
    case 'complete':
      return { kind: 'complete', json: toJson(outcome.result ?? null, log) };
    case 'retry':
    case 'snooze':
    case 'bury':
      return outcome;
    default:
      throw new TypeError(
        `The handler returned ${typeof outcome}, which is no outcome: return complete(…), retry(…), snooze(…), bury(…) or nothing.`,
      );
  }
}

function toJson(result: unknown, log: HandlerLog): string {
  try {
    return encodeJson(result, (reason) => new TypeError(reason));
  } catch (error) {
    log.warn({ error: (error as Error).message }, 'the result of this run cannot leave its thread and is left out');
    return 'null';
  }
}
