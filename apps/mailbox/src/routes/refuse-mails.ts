import type { Handler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import type { Refusal } from '../refusal/create-refusal.js';
import { answerProblem } from './answer-problem.js';

/** Of the only request that has a body. */
const MAX_BODY_BYTES = 1_024;

/** What stands before it: no larger body is read. */
export const limitBody = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: (c) =>
    answerProblem(c, {
      status: 413,
      code: 'body_too_large',
      title: 'The body is too large',
      detail: `It is limited to ${MAX_BODY_BYTES} bytes.`,
    }),
});

const body = z.strictObject({ seconds: z.int().min(1).max(3_600) });

/**
 * `PUT /api/refusal`: from now on every mail is refused, for a while: `451`, which asks to send it again later. A page of
 * another site cannot ask for it, as it cannot send DELETE.
 */
export function refuseMails(refusal: Refusal): Handler {
  return async (c) => {
    const reading = body.safeParse(await c.req.json().catch(() => null));
    if (reading.success) return c.json({ until: refusal.begin(reading.data.seconds) });
    const detail = 'Send {"seconds": 120}, with a whole number from 1 to 3600.';
    return answerProblem(c, { status: 400, code: 'wrong_refusal', title: 'Wrong refusal', detail });
  };
}
