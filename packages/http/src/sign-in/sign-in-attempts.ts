import { BlockList } from 'node:net';
import { callerOf } from '../access/authorize/caller-of.js';
import { RateLimiter } from '../access/authorize/rate-limiter.js';
import { ApiError } from '../api-error.js';
import type { ApiContext, ApiParts } from '../api.js';
import type { SignIn } from './sign-in.js';

/** What both steps of a sign-in go through: nobody has shown anything yet. */
export interface SignInAttempts {
  /** Throws `not_found` where people cannot sign in here. */
  find(): SignIn;
  /** Runs what asks the issuer. One that does not answer is `issuer_unavailable`, and a line in the log. */
  ask<T>(step: () => Promise<T>): Promise<T>;
  /** Runs what may be refused. After too many refusals an address gets `rate_limited`, and the issuer is not asked. */
  count<T>(c: ApiContext, attempt: () => Promise<T>): Promise<T>;
}

export function createSignInAttempts({ signIn, proxies, failuresPerMinute, log }: ApiParts): SignInAttempts {
  const failures = new RateLimiter(failuresPerMinute);
  return {
    find() {
      if (signIn !== undefined) return signIn;
      throw new ApiError('not_found', 'This server has no issuer at which people could sign in. Use an API key.');
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
    async count(c, attempt) {
      const { address } = callerOf(c, proxies ?? new BlockList());
      // where the server does not tell addresses, one stranger would keep everybody out
      if (address === null) return attempt();
      const { remaining, resetSeconds } = failures.look(address);
      if (remaining <= 0)
        throw new ApiError('rate_limited', `Too many sign-ins from this address failed. Wait ${resetSeconds} s.`, {
          headers: { 'Retry-After': String(resetSeconds) },
        });
      try {
        return await attempt();
      } catch (error) {
        if (error instanceof ApiError && error.code === 'sign_in_refused') failures.take(address);
        throw error;
      }
    },
  };
}
