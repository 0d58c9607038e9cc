import { defineCatalog, defineJob } from 'duework';
import { z } from 'zod';

/** Greets a new user, once. */
export const welcomeUser = defineJob({
  type: 'welcome_user',
  payload: z.object({ userId: z.int().positive() }),
  idempotencyKey: ({ userId }) => `user:${userId}`,
});

export const catalog = defineCatalog([welcomeUser]);
