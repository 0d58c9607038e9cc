import { DueworkError } from '@duework/queue-core';
import { readSqlstate } from '@duework/sql/errors';
import { ApiError, MAX_FAULTS, type Fault } from '../../api-error.js';
import type { HttpErrorCode } from '../../http-errors.js';
import { isTooSlow } from '../../reads/limit-reads.js';
import { describeRefusal } from './describe-refusal.js';
import { findDatabaseFault } from './find-database-fault.js';

/** The fields of a problem (RFC 9457), before it is written. */
export interface Problem {
  readonly code: HttpErrorCode;
  readonly detail: string;
  readonly errors: readonly Fault[];
  readonly headers: Readonly<Record<string, string>>;
}

/** The problem for an error: it tells the client everything about its own mistakes, nothing about our internals. */
export function toProblem(error: unknown, databaseUrl: string | undefined): Problem {
  if (error instanceof ApiError) {
    return {
      code: error.code,
      detail: error.message,
      errors: error.errors.slice(0, MAX_FAULTS),
      headers: error.headers,
    };
  }
  if (DueworkError.is(error)) {
    return {
      code: error.code,
      detail: tell(error),
      errors: describeRefusal(error, '').slice(0, MAX_FAULTS),
      headers: {},
    };
  }
  if (readSqlstate(error) === '57014') return toProblem(isTooSlow(), databaseUrl);
  const fault = findDatabaseFault(error, databaseUrl);
  if (fault === 'busy')
    return tryLater(
      'database_busy',
      'The database could not decide between two writers. Nothing was written; try again.',
    );
  if (fault === 'away') return tryLater('database_unavailable', 'The database did not answer. Try again in a moment.');
  return { code: 'internal_error', detail: 'The reason is in the log, under this requestId.', errors: [], headers: {} };
}

/** The error's own message points into the payload, or names roles of the database; a problem points into the body. */
function tell(error: DueworkError): string {
  if (DueworkError.is(error, 'permission_denied'))
    return 'The database refuses this to the role of this server. Which right it lacks is in the log, under this requestId.';
  if (!DueworkError.is(error, 'invalid_payload')) return error.message;
  return `The payload of ${error.facts.type} is not valid; see errors.`;
}

function tryLater(code: HttpErrorCode, detail: string): Problem {
  return { code, detail, errors: [], headers: { 'Retry-After': '1' } };
}
