import { findContract, jobRequest, type JobRequest } from '@duework/queue-core';
import { checkType } from '../access/check-type.js';
import type { Principal } from '../access/principal.js';
import type { ApiParts } from '../api.js';
import { parseBody } from '../http/requests/parse-body.js';
import { newJob, optionsOf } from './new-job.js';

/**
 * Turns a job in a body into a request for `enqueueMany`. Throws `invalid_body`, `missing_scope` (the principal may not
 * enqueue this type), `unknown_job_type`.
 */
export function readJobRequest(
  value: unknown,
  principal: Principal,
  { catalog, payloadLimitBytes }: ApiParts,
): JobRequest {
  const job = parseBody(newJob, value);
  checkType(principal, job.type, '/type');
  const contract = findContract(catalog, job.type);
  return jobRequest(contract, job.payload, { ...optionsOf(job), payloadLimitBytes });
}
