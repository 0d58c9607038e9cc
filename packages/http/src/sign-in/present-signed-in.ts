import { z } from '@hono/zod-openapi';

const kept = z.string().nullable();

/** What a person's tab gets of the issuer's tokens. */
export const signedIn = z
  .object({
    token: z.string().describe('For `Authorization: Bearer …`, until it expires.'),
    refreshToken: kept.describe('For the next one, at `POST /v1/sign-in/refresh`; null: the issuer gives none.'),
    idToken: kept.describe('For `POST /v1/sign-in/end`; null: the issuer has given none with a refreshed token.'),
  })
  .openapi('SignedIn');

/** A token in a body. */
export const tokenText = z.string().min(1).max(16_000);
