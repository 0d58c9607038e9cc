import type { Duration } from '@duework/contracts';
import { findContract, jobRequest, type EnqueueOptions, type JobRequest } from '@duework/queue-core';
import { checkType } from '../access/check-type.js';
import type { Principal } from '../access/principal.js';
import type { ApiParts } from '../api.js';
import { parseBody } from '../http/requests/parse-body.js';
import { newJob } from './new-job.js';

/**
 * Turns a job in a body into a request for `enqueueMany`. Throws `invalid_body`, `missing_scope` (the principal may not
 * enqueue this type), `unknown_job_type`.
 */
export function readJobRequest(
  value: unknown,
  principal: Principal,
  { catalog, payloadLimitBytes }: ApiParts,
): JobRequest {
  const { type, payload, runAt, delaySeconds, ...given } = parseBody(newJob, value);
  checkType(principal, type, '/type');
  const contract = findContract(catalog, type);
  const options: EnqueueOptions = {
    payloadLimitBytes,
    ...(runAt === undefined ? {} : { runAt: new Date(runAt) }),
    ...(delaySeconds === undefined ? {} : { delay: `${Math.round(delaySeconds * 1_000)}ms` as const }),
    ...(given.priority === undefined ? {} : { priority: given.priority }),
    ...(given.expiresAfterSeconds === undefined ? {} : { expiresAfter: toDuration(given.expiresAfterSeconds) }),
    ...(given.queue === undefined ? {} : { queue: given.queue }),
    ...(given.idempotencyKey === undefined ? {} : { idempotencyKey: given.idempotencyKey }),
    ...(given.maxAttempts === undefined ? {} : { maxAttempts: given.maxAttempts }),
  };
  return jobRequest(contract, payload, options);
}

const toDuration = (seconds: number | null): Duration | null =>
  seconds === null ? null : `${Math.max(1, Math.round(seconds * 1_000))}ms`;
