import { ApiError, type Fault } from './api-error.js';

interface Problem {
  readonly code?: unknown;
  readonly title?: unknown;
  readonly detail?: unknown;
  readonly requestId?: unknown;
  readonly errors?: unknown;
}

/** The error that an answer stands for: a problem (RFC 9457), or whatever a proxy between has sent. */
export async function readProblem(response: Response): Promise<ApiError> {
  const { status } = response;
  const problem = parse(await response.text());
  if (typeof problem?.code !== 'string')
    return new ApiError(
      'answer_unreadable',
      `The answer has status ${status} and is not a problem of Duework.`,
      status,
    );
  const sentence = [problem.detail, problem.title].find((text) => typeof text === 'string');
  return new ApiError(
    problem.code,
    (sentence as string | undefined) ?? problem.code,
    status,
    Array.isArray(problem.errors) ? (problem.errors as Fault[]) : [],
    typeof problem.requestId === 'string' ? problem.requestId : null,
  );
}

function parse(text: string): Problem | null {
  try {
    return JSON.parse(text) as Problem | null;
  } catch {
    return null;
  }
}
