/**
 * The names of OpenTelemetry's semantic conventions for messaging, as of their version 1.44; what Duework alone knows is
 * below `messaging.duework`. docs/how-to/traces.md lists them.
 */
export const SYSTEM = 'messaging.system';
export const OPERATION_NAME = 'messaging.operation.name';
export const OPERATION_TYPE = 'messaging.operation.type';
export const DESTINATION_NAME = 'messaging.destination.name';
export const MESSAGE_ID = 'messaging.message.id';
export const MESSAGE_COUNT = 'messaging.batch.message_count';
export const ERROR_TYPE = 'error.type';

export const JOB_TYPE = 'messaging.duework.job.type';
export const JOB_VERSION = 'messaging.duework.job.version';
/** How many of a call's jobs were there already, under their idempotency keys. */
export const DEDUPLICATED = 'messaging.duework.deduplicated_count';
export const SCHEDULE = 'messaging.duework.schedule.key';
/** Counted from 1. */
export const ATTEMPT = 'messaging.duework.job.attempt';
/** From due to claimed. */
export const WAITED_MS = 'messaging.duework.job.waited_ms';
/** What became of an attempt: a kind of outcome, `failed`, or why it was aborted. */
export const OUTCOME = 'messaging.duework.job.outcome';
/** Why an attempt was aborted, on its event `attempt.aborted`. */
export const ABORT_CODE = 'messaging.duework.abort.code';
/** true: the handler ignored its signal, and still ran when its span was ended without it. */
export const OVERRAN = 'messaging.duework.job.overran';
