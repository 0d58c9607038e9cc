import { BlockList } from 'node:net';
import { callerOf } from '../access/caller-of.js';
import { RateLimiter } from '../access/rate-limiter.js';
import { ApiError } from '../api-error.js';
import type { ApiContext, ApiParts } from '../api.js';
import type { SignIn } from './sign-in.js';

/** What both steps of a sign-in go through: nobody has shown anything yet, and each step asks the issuer. */
export interface SignInAttempts {
  /** Throws `not_found` where people cannot sign in here, and `rate_limited` for an address that tries too often. */
  count(c: ApiContext): SignIn;
  /** Runs a step. An issuer that does not answer is `issuer_unavailable`, and a line in the log. */
  ask<T>(step: () => Promise<T>): Promise<T>;
}

export function createSignInAttempts({ signIn, proxies, failuresPerMinute, log }: ApiParts): SignInAttempts {
  const attempts = new RateLimiter(failuresPerMinute);
  return {
    count(c) {
      if (signIn === undefined)
        throw new ApiError('not_found', 'This server has no issuer at which people could sign in. Use an API key.');
      const { remaining, resetSeconds } = attempts.take(callerOf(c, proxies ?? new BlockList()).address ?? '');
      // guard: sign-ins-limited
      if (remaining < 0)
        throw new ApiError('rate_limited', `Too many sign-ins from this address. Try again in ${resetSeconds} s.`, {
          headers: { 'Retry-After': String(resetSeconds) },
        });
      // guard end: sign-ins-limited
      return signIn;
    },
    async ask(step) {
      try {
        return await step();
      } catch (cause) {
        if (cause instanceof ApiError) throw cause;
        log.warn({ reason: (cause as Error).message }, 'issuer.unavailable');
        throw new ApiError('issuer_unavailable', 'The issuer cannot be asked. Try again in a moment.', {
          cause,
          headers: { 'Retry-After': '5' },
        });
      }
    },
  };
}
