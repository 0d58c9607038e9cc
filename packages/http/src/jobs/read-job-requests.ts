import { checkJobRequest, DueworkError, type JobRequest } from '@duework/queue-core';
import { ApiError, MAX_FAULTS, type Fault } from '../api-error.js';
import type { Principal } from '../access/principal.js';
import type { ApiParts } from '../api.js';
import { describeRefusal } from '../http/problems/describe-refusal.js';
import type { HttpErrorCode } from '../http-errors.js';
import { readJobRequest } from './read-job-request.js';

/**
 * Turns every job of a batch into a request, or throws one error that lists the faults of each wrong job (the first
 * 100), each with its own code. The error has the code that they share, or else `invalid_body`.
 */
export function readJobRequests(
  values: readonly unknown[],
  principal: Principal,
  parts: ApiParts,
  pointerTo = (index: number): string => `/jobs/${index}`,
): JobRequest[] {
  const requests: JobRequest[] = [];
  const faults: Fault[] = [];
  const codes = new Set<HttpErrorCode>();
  for (const [index, value] of values.entries()) {
    try {
      const request = readJobRequest(value, principal, parts);
      checkJobRequest(request);
      requests.push(request);
    } catch (error) {
      if (!(error instanceof ApiError || DueworkError.is(error))) throw error;
      const { code } = error;
      codes.add(code);
      faults.push(...describeRefusal(error, pointerTo(index)).map((fault) => ({ ...fault, code })));
      if (faults.length >= MAX_FAULTS) break;
    }
  }
  if (faults.length === 0) return requests;
  const [code = 'invalid_body'] = codes.size === 1 ? codes : [];
  throw new ApiError(code, `None of the ${values.length} jobs was enqueued; see errors for the wrong ones.`, {
    errors: faults,
  });
}
