import { HTTP_ERRORS, type HttpErrorCode } from '../../http-errors.js';

/** A problem (RFC 9457) for a request that never reached the app. */
export function writeProblem(
  code: HttpErrorCode,
  detail: string,
  requestId: string,
): { status: number; headers: Record<string, string>; body: string } {
  const { status, title } = HTTP_ERRORS[code];
  const body = JSON.stringify({ type: `/problems/${code}`, title, status, detail, code, errors: [], requestId });
  return { status, headers: { 'Content-Type': 'application/problem+json', 'X-Request-Id': requestId }, body };
}
