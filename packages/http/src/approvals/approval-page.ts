import type { ApprovalState } from '@duework/operate';
import type { ApiContext } from '../api.js';
import { escapeHtml as html } from '../pages/escape-html.js';
import { FORM_POLICY, renderPage } from '../pages/render-page.js';

/** Longer ones are cut off in the browser; the audit keeps no longer one. */
const MAX_COMMENT = 1_000;

/**
 * The page behind a link: what is asked, and a form if it can be decided. It runs nothing. No choice is made beforehand, so that a
 * program which opens links and presses buttons decides nothing. `said`: what came of an attempt to decide.
 */
export function answerApproval(
  c: ApiContext,
  { approval, to, said, status = 200 }: PageParts,
): Response | Promise<Response> {
  c.header('Content-Security-Policy', FORM_POLICY);
  c.header('X-Robots-Tag', 'noindex');
  const content = [
    said === undefined ? '' : `<p role="alert"><strong>${html(said)}</strong></p>`,
    approval === null ? '' : describe(approval),
    approval?.state === 'waiting' ? form(approval.choices) : '',
    `<p><small>This link is for ${html(to)}.${approval === null ? '' : sayUntil(approval)}</small></p>`,
  ];
  return c.html(renderPage(approval?.title ?? 'Nothing to decide', content.join('')), status);
}

interface PageParts {
  /** null: there is none. */
  readonly approval: ApprovalState | null;
  readonly to: string;
  readonly said?: string | undefined;
  readonly status?: 200 | 403 | 404 | 409 | 422;
}

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
