import { ApiError } from '../api-error.js';

/** The refusal of a sign-in. `detail` is for the person; nothing of what came back stands in it. */
export function refuseSignIn(detail: string, cause?: unknown): ApiError {
  return new ApiError('sign_in_refused', detail, { cause, headers: { 'WWW-Authenticate': 'Bearer realm="duework"' } });
}
