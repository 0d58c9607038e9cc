import { type EventContract, type ParseIssue, parseValue } from '@duework/contracts';
import { DueworkError } from '@duework/sql/errors';
import type { NewEvent } from '../ports/producer.js';
import type { Meta } from '../queue/job.js';
import { requireInline } from '../objects/require-inline.js';
import { cleanValues } from '../secrets/clean-values.js';
import { valuesOfSignal } from '../secrets/make-cleaner.js';
import { eventPlace } from '../secrets/sealed-place.js';
import { sealPayload } from '../secrets/seal-payload.js';
import { encodeMeta } from './encode-meta.js';
import { checkPayloadShape, encodeUpTo } from './encode-payload.js';
import { checkKey, DEFAULT_PAYLOAD_LIMIT_BYTES } from './make-new-run.js';

export interface PublishOptions {
  /** The business event's key: published again with it, the event is the first one, for at least seven days. */
  readonly idempotencyKey?: string;
  /** Texts to keep beside the payload of each job, such as a `traceparent`; at most 2,048 bytes as JSON. */
  readonly meta?: Meta;
  /** Largest payload in bytes of JSON; default 64 KiB. */
  readonly payloadLimitBytes?: number;
}

/** The event that a payload makes, for any store. Throws what `publish` throws. */
export function makeNewEvent(event: EventContract, payload: unknown, options: PublishOptions = {}): NewEvent {
  const { name, version, sensitive, encryption, keepMs } = event;
  const { idempotencyKey = null, meta, payloadLimitBytes = DEFAULT_PAYLOAD_LIMIT_BYTES } = options;
  checkPayloadShape(name, payload, payloadLimitBytes);
  const parsed = parseValue(event.payload, payload);
  if (!parsed.success)
    throw new DueworkError('invalid_payload', { type: name, issues: cleanIssues(event, payload, parsed.issues) });
  // what is not storable is refused before it is encrypted
  encodeUpTo(name, parsed.data, payloadLimitBytes);
  const stored = sealPayload({ type: eventPlace(name), version, sensitive, encryption }, parsed.data);
  const payloadJson = encodeUpTo(name, stored, payloadLimitBytes);
  requireInline({ type: name, payloadJson }, 'The payload of an event');
  return {
    ...{ name, version, keepMs },
    payloadJson,
    key: checkKey(name, idempotencyKey),
    metaJson: encodeMeta(meta),
  };
}

/** A message of a rule may quote what it refuses. */
function cleanIssues(event: EventContract, payload: unknown, issues: readonly ParseIssue[]): readonly ParseIssue[] {
  if (event.sensitive.length === 0) return issues;
  const values = valuesOfSignal(event, payload).filter(({ isSensitive }) => isSensitive);
  return issues.map(({ pointer, message }) => ({ pointer, message: cleanValues(message, values) }));
}
