import { type Duration, parseDuration } from '@duework/contracts';
import type { BulkChange, BulkVerb } from '@duework/operate';
import type { Json } from '@duework/queue-core';
import { parseEnd } from '../operate/parse-end.js';
import { PlainError } from '../plain-error.js';
import { readJson } from '../read-json.js';

/** The options of all verbs; each verb's command takes its own. */
export interface ChangeOptions {
  readonly effectsHappened?: boolean;
  readonly priority?: string;
  readonly delay?: string;
  readonly at?: string;
  readonly spread?: string;
  readonly to?: string;
  readonly field?: string;
  readonly value?: string;
  readonly remove?: true;
}

/** What is done to each job, of the options of a command. Throws `PlainError`, and what durations and moments throw. */
export function readChange(verb: BulkVerb, options: ChangeOptions, now: Date): BulkChange {
  const { effectsHappened, priority, delay, at, spread, to } = options;
  switch (verb) {
    case 'retry':
      return {
        verb,
        ...(effectsHappened === undefined ? {} : { effectsHappened }),
        ...(priority === undefined ? {} : { priority: Number(priority) }),
      };
    case 'reschedule': {
      if ((delay === undefined) === (at === undefined))
        throw new PlainError('no_moment', 'Say when they become due: --at <time>, or --delay <duration> from now.');
      const spreadMs = spread === undefined ? {} : { spreadMs: parseDuration(spread as Duration) };
      return { verb, runAt: parseEnd(delay, at, now)!, ...spreadMs };
    }
    case 'change_priority':
      return { verb, priority: Number(to) };
    case 'change_queue':
      return { verb, queue: to! };
    case 'edit_payload':
      return readEdit(options);
    default:
      return { verb };
  }
}

function readEdit({ field, value, remove }: ChangeOptions): BulkChange {
  if ((value === undefined) === (remove === undefined))
    throw new PlainError('no_value', 'Say what becomes of the field: --value <json>, or --remove.');
  const path = field!.split('.');
  if (value === undefined) return { verb: 'edit_payload', path };
  const refuse = (why: string, cause: unknown): PlainError =>
    new PlainError('value_not_json', `--value is not JSON: ${why}. A text has quotes of its own: '"text"'.`, { cause });
  return { verb: 'edit_payload', path, value: readJson(value, refuse) as Json };
}
