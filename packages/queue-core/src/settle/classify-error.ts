import type { JobContract } from '@duework/contracts';
import type { ErrorRecord } from '../ports/runs.js';
import { cleanSecrets } from '../secrets/clean-secrets.js';
import { StepFailedError } from '../step-errors.js';
import type { Cleaner } from '../secrets/make-cleaner.js';
import { toStorableText, readSqlstate } from '@duework/sql/errors';

const MAX_MESSAGE = 1_000;
const MAX_STACK = 8_000;
/** More of a text than is ever kept need not be cleaned. */
const MAX_READ = 16_384;

/**
 * HTTP answers that say of the request itself that it can't succeed: wrong, not paid, gone, too large, of a kind that is
 * not taken, refused by law. A 401, 404 or 409 may be over after the other side's deploy.
 */
const PERMANENT_HTTP = new Set([400, 402, 410, 413, 414, 415, 422, 451]);

/** The handler misuses Duework, or a person has to decide. */
const PERMANENT_CODES = new Set([
  'effect_unknown',
  'effect_misused',
  'invalid_outcome',
  'steps_changed',
  'step_named_twice',
  'step_misused',
  'not_durable',
  'other_shard',
  'wait_by_sensitive',
  'not_supported',
  'object_missing',
  'object_altered',
]);

/**
 * Returns the error as it is stored, and whether it is permanent, which a thrown error is only if the other side has said
 * so, or if a person has to decide. The contract's own rule comes first, by the error's code or its class. What is stored
 * has been cleaned of secrets, and by `clean` of the values of the payload. Never throws, whatever was thrown.
 * docs/look-up/errors.md is the reference.
 */
export function classifyError(
  error: unknown,
  rule: Pick<JobContract['errors'], 'permanent' | 'transient'> = { permanent: [], transient: [] },
  clean: Cleaner = cleanSecrets,
): { readonly isPermanent: boolean; readonly record: ErrorRecord } {
  try {
    if (StepFailedError.is(error))
      return { isPermanent: error.isPermanent, record: { ...error.failure, stack: error.stack ?? null } };
    const record = readError(error, clean);
    const isOf = (names: readonly string[]): boolean => names.includes(record.code) || names.includes(record.type);
    if (isOf(rule.permanent)) return { isPermanent: true, record };
    if (isOf(rule.transient)) return { isPermanent: false, record };
    return { isPermanent: isPermanent(error), record };
  } catch {
    return { isPermanent: false, record: UNREADABLE };
  }
}

function isPermanent(error: unknown): boolean {
  if (!isObject(error)) return false;
  const status = httpStatus(error);
  if (status !== null) return PERMANENT_HTTP.has(status);
  // SMTP: 5yz is a permanent negative reply (RFC 5321, 4.2.1)
  if (isBetween(error['responseCode'], 500, 600)) return true;
  return PERMANENT_CODES.has(codeOf(error, ''));
}

/** Stands for a thrown proxy or getter that itself throws when it is read. */
const UNREADABLE: ErrorRecord = {
  code: 'unreadable_error',
  type: 'unknown',
  message: 'What was thrown cannot be read: it throws when it is looked at.',
  stack: null,
};

/**
 * Returns the error as it is stored: text without NUL or half surrogate pairs, and bounded. Never throws, whatever was
 * thrown.
 */
export function toErrorRecord(error: unknown, clean: Cleaner = cleanSecrets): ErrorRecord {
  try {
    return readError(error, clean);
  } catch {
    return UNREADABLE;
  }
}

function readError(error: unknown, clean: Cleaner): ErrorRecord {
  // cleaned before it is cut: half of a value would not be known
  const tell = (text: string, limit: number): string => toStorableText(clean(text.slice(0, MAX_READ)), limit);
  const name = (text: string): string => toStorableText(clean(text.slice(0, MAX_READ), true), 100);
  if (!isObject(error))
    return {
      code: 'thrown_value',
      type: typeof error,
      message: tell(String(error), MAX_MESSAGE),
      stack: null,
    };
  const { message, stack } = error;
  const type = typeof error['name'] === 'string' && error['name'] !== '' ? error['name'] : 'Error';
  const told = tell(typeof message === 'string' && message !== '' ? message : type, MAX_MESSAGE);
  const where = typeof stack === 'string' ? tell(stack, MAX_STACK) : null;
  // where a text may not be shown, the same sentence stands for both
  return { code: name(codeOf(error, type)), type: name(type), message: told, stack: where === told ? null : where };
}

function codeOf(error: Record<string, unknown>, type: string): string {
  const { code } = error;
  const sqlstate = readSqlstate(error);
  if (sqlstate !== null) return sqlstate;
  if (typeof code === 'string' && code !== '') return code;
  const status = httpStatus(error);
  if (status !== null) return `http_${status}`;
  // fetch hides the network's code one level down
  const cause = error['cause'];
  if (isObject(cause) && typeof cause['code'] === 'string') return cause['code'];
  return type === 'TimeoutError' ? 'timeout' : 'unexpected_error';
}

/** The status of the HTTP answer that an error stands for; null: of none. */
export function httpStatus(error: Record<string, unknown>): number | null {
  for (const place of [error, error['response']]) {
    const status = isObject(place) ? (place['status'] ?? place['statusCode']) : undefined;
    if (isBetween(status, 100, 600)) return status;
  }
  // clients of mail services and of Google's APIs
  return isBetween(error['code'], 400, 600) ? error['code'] : null;
}

function isBetween(value: unknown, from: number, before: number): value is number {
  return typeof value === 'number' && value >= from && value < before;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
