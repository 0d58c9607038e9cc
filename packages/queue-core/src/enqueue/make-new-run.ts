import type { Duration, JobContract } from '@duework/contracts';
import { checkOption, checkRunOptions, readDuration } from './check-run-options.js';
import { currentOffload } from '../objects/current-offload.js';
import { makeTerms, type NewRun, type NewTerms, type RunFlow } from '../ports/producer.js';
import { encodeMeta } from './encode-meta.js';
import { encodePayload } from './encode-payload.js';
import { DueworkError, findUnstorableText, showValue } from '@duework/sql/errors';
import { shortenKey } from './shorten-key.js';
import { gatesOf } from '../flow/gates-of.js';
import type { JobRequest } from './job-request.js';

export const DEFAULT_PAYLOAD_LIMIT_BYTES = 64 * 1024;

/**
 * Makes the run of a request, for any store; without a payload it gets the contract's default. Throws what `enqueue`
 * throws.
 */
export function makeNewRun({ contract, payload = contract.defaultPayload, options }: JobRequest): NewRun {
  const { type } = contract;
  const { priority = contract.priority, maxAttempts = contract.maxAttempts, runAt, delay } = options;
  const { payloadLimitBytes: limitBytes = DEFAULT_PAYLOAD_LIMIT_BYTES } = options;
  const { parsed, json, bytes } = encodePayload(
    contract,
    payload,
    Math.max(limitBytes, currentOffload()?.upToBytes ?? 0),
  );
  checkRunOptions({ priority, maxAttempts, runAt, delay });
  const { idempotencyKey: given } = options;
  const queue = chooseQueue(contract, options.queue);
  const key = checkKey(type, given === undefined ? (contract.keyOf?.(parsed) ?? null) : given);
  return {
    type,
    version: contract.version,
    queue,
    priority,
    maxAttempts,
    runAt: runAt?.toISOString() ?? null,
    delayMs: delay === undefined ? 0 : readDuration('delay', delay),
    key,
    unique: key === null ? null : contract.unique,
    keyWindowMs: contract.idempotencyWindowMs,
    payloadJson: json,
    ...(bytes > limitBytes ? { isLarge: true } : {}),
    metaJson: encodeMeta(options.meta),
    flow: makeFlow(gatesOf(contract, parsed, queue), makeTerms(contract, readExpiry(options.expiresAfter))),
  };
}

const makeFlow = (gates: RunFlow | null, terms: NewTerms | null): RunFlow | null =>
  terms === null ? gates : { ...gates, terms };

/** undefined: as the contract says; null: never. */
function readExpiry(expiresAfter: Duration | null | undefined): number | null | undefined {
  if (expiresAfter === undefined || expiresAfter === null) return expiresAfter;
  const ms = readDuration('expiresAfter', expiresAfter);
  checkOption('expiresAfter', expiresAfter, ms >= 1, 'at least "1ms"');
  return ms;
}

function chooseQueue({ type, queue, queues }: JobContract, chosen = queue): string {
  if (chosen !== queue && !queues.includes(chosen))
    throw new DueworkError('queue_not_allowed', { type, queue: chosen, queues });
  return chosen;
}

/** A key as it is kept. Throws `invalid_idempotency_key`. */
export function checkKey(type: string, key: string | null): string | null {
  if (key === null) return null;
  const reason =
    typeof key !== 'string'
      ? `${showValue(key)} must be a text, a number or a boolean`
      : key.length === 0
        ? 'it is empty'
        : findUnstorableText(key) !== null
          ? `it ${findUnstorableText(key)}`
          : null;
  if (reason !== null) throw new DueworkError('invalid_idempotency_key', { type, reason });
  return shortenKey(key);
}
