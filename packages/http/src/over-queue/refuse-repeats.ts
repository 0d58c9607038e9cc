import { ApiError } from '../api-error.js';
import type { Plan } from './plan.js';

/** What may be sent again elsewhere, because its answer is kept. */
export const once: Plan = {
  says: 'This queue keeps no answers: an `Idempotency-Key` is refused, and the `idempotencyKey` of a job is not.',
  handle(c, route) {
    if (c.req.header('idempotency-key') === undefined) return route.handle(c);
    throw new ApiError(
      'not_supported',
      'This queue keeps no answers, so that a request with an Idempotency-Key cannot be sent again. Give the job an idempotencyKey.',
    );
  },
};
