import { readPayload, type JobContract } from '@duework/contracts';
import { DueworkError } from '@duework/sql/errors';
import { unsealPayload } from '../../secrets/unseal-payload.js';

/**
 * What a contract makes of a stored payload of a version that it knows. `why` may quote the payload, which is `plain`;
 * `key_missing`: this process cannot look into it.
 */
export type PayloadJudgement =
  | { readonly code: 'fits' }
  | { readonly code: 'key_missing' }
  | { readonly code: 'payload_not_readable' }
  | { readonly code: 'invalid_payload' | 'lift_threw' | 'rule_threw'; readonly why: string; readonly plain: unknown };

/** Decrypts and parses a stored payload, as a worker would. Throws nothing. */
export function judgePayload(contract: JobContract, version: number, payload: unknown): PayloadJudgement {
  let plain: unknown;
  try {
    plain = unsealPayload(contract, version, payload);
  } catch (error) {
    return { code: DueworkError.is(error, 'key_missing') ? 'key_missing' : 'payload_not_readable' };
  }
  try {
    const reading = readPayload(contract, version, plain);
    if (reading.success) return { code: 'fits' };
    const { why } = reading;
    return { code: LIFT_THREW.test(why) ? 'lift_threw' : 'invalid_payload', why, plain };
  } catch {
    // what it says may quote the payload
    return { code: 'rule_threw', why: 'a rule of the schema threw an error', plain };
  }
}

const LIFT_THREW = /^version \d+, lifted from \d+ to \d+: the step threw /;
