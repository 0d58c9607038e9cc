import type { Handler } from 'hono';
import type { Mailbox } from '../create-mailbox.js';
import { answerProblem } from './answer-problem.js';

/** `GET /readyz`: 200 when a mail could be kept now, 503 when the folder cannot be written. */
export function reportReadiness(mailbox: Mailbox): Handler {
  return async (c) => {
    if (await mailbox.isReady()) return c.json({ status: 'ready' });
    const detail = 'The folder of the mailbox cannot be written.';
    return answerProblem(c, { status: 503, code: 'not_ready', title: 'Not ready', detail });
  };
}
