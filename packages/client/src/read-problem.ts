import { ClientError, type ProblemIssue } from './client-error.js';

interface Problem {
  readonly code?: unknown;
  readonly title?: unknown;
  readonly detail?: unknown;
  readonly requestId?: unknown;
  readonly errors?: unknown;
}

/** The error that an answer stands for: a problem (RFC 9457) with its code, or whatever a proxy between has sent. */
export async function readProblem(response: Response): Promise<ClientError> {
  const { status } = response;
  const problem = parse(await response.text());
  if (typeof problem?.code !== 'string')
    return new ClientError('answer_unreadable', `The server answered ${status}, and not with a problem of Duework.`, {
      status,
    });
  const detail = [problem.detail, problem.title].find((text) => typeof text === 'string') as string | undefined;
  const issues = Array.isArray(problem.errors) ? (problem.errors as ProblemIssue[]) : [];
  const said = detail ?? problem.code;
  return new ClientError(problem.code, `${said}${nameFirst(said, issues)}`, {
    status,
    requestId: typeof problem.requestId === 'string' ? problem.requestId : null,
    issues,
  });
}

/** The first field that is wrong, unless that was said, because a log often has the message alone. */
function nameFirst(said: string, [first, ...others]: readonly ProblemIssue[]): string {
  if (first?.pointer === undefined || said.includes(first.message)) return '';
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return ` ${first.pointer}: ${first.message}${more}`;
}

function parse(text: string): Problem | null {
  try {
    return JSON.parse(text) as Problem | null;
  } catch {
    return null;
  }
}
