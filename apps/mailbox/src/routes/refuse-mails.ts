import type { Handler } from 'hono';
import { z } from 'zod';
import type { Refusal } from '../refusal/create-refusal.js';
import { answerProblem } from './answer-problem.js';

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
