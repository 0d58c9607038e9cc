import type { ApprovalState } from '@duework/operate';
import { ApiError } from '../api-error.js';
import type { ApiContext } from '../api.js';
import { HTTP_ERRORS, type HttpError } from '../http-errors.js';
import { escapeHtml as html } from '../pages/escape-html.js';
import { FORM_POLICY, renderPage } from '../pages/render-page.js';

/** Longer ones are cut off in the browser; the audit keeps no longer one. */
const MAX_COMMENT = 1_000;

interface PageParts {
  readonly approval: ApprovalState;
  readonly to: string;
  /** What came of an attempt to decide. */
  readonly said?: string | undefined;
  /** Why it was refused, or cannot be decided; a program gets it as a problem, a person as a page. */
  readonly refusal?: ApiError | null;
}

/**
 * The page behind a link: what is asked, and a form if it can be decided. It runs nothing. No choice is made beforehand, so that a
 * program which opens links and presses buttons decides nothing.
 */
export function answerApproval(c: ApiContext, { approval, to, said, refusal = null }: PageParts): Response {
  if (refusal !== null && !isForPeople(c)) throw refusal;
  const text = said ?? refusal?.errors[0]?.message ?? refusal?.message;
  const content = [
    text === undefined ? '' : `<p role="alert"><strong>${html(text)}</strong></p>`,
    describe(approval),
    approval.state === 'waiting' ? form(approval.choices) : '',
    `<p><small>This link is for ${html(to)}.${sayUntil(approval)}</small></p>`,
  ];
  return answerPage(c, approval.title, content.join(''), refusal === null ? 200 : HTTP_ERRORS[refusal.code].status);
}

/** Does it with a link; what is refused is a page for people, too. */
export async function withPage(c: ApiContext, answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof ApiError) || !isForPeople(c)) throw error;
    return answerPage(c, 'Nothing to decide', `<p>${html(error.message)}</p>`, HTTP_ERRORS[error.code].status);
  }
}

function answerPage(c: ApiContext, title: string, content: string, status: HttpError['status'] | 200): Response {
  c.header('Content-Security-Policy', FORM_POLICY);
  c.header('X-Robots-Tag', 'noindex');
  c.header('Vary', 'Accept');
  return c.body(renderPage(title, content), status, { 'Content-Type': 'text/html; charset=utf-8' });
}

const isForPeople = (c: ApiContext): boolean => c.req.header('accept')?.includes('text/html') === true;

const sayUntil = ({ state, until }: ApprovalState): string =>
  state !== 'waiting'
    ? ''
    : ` It works once${until === null ? '' : `, until ${until.toISOString().slice(0, 16).replace('T', ' ')} UTC`}.`;

function describe({ details, decision }: ApprovalState): string {
  const rows = Object.entries(details).map(
    ([label, value]) => `<dt>${html(label)}</dt><dd>${html(String(value))}</dd>`,
  );
  const comment = decision?.comment ?? null;
  return `<dl>${rows.join('')}</dl>${comment === null ? '' : `<blockquote>${html(comment)}</blockquote>`}`;
}

function form(choices: readonly string[]): string {
  const options = choices.map(
    (choice) => `<label><input type="radio" name="choice" value="${html(choice)}" required> ${html(choice)}</label>`,
  );
  return `<form method="post"><fieldset><legend>Your decision</legend>${options.join('')}</fieldset><label>Comment<textarea name="comment" rows="3" maxlength="${MAX_COMMENT}"></textarea></label><button>Decide</button></form>`;
}
