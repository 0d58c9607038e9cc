import { BlockList } from 'node:net';
import type { AccessRefusal } from '../access/authorize/authorize.js';
import { callerOf } from '../access/authorize/caller-of.js';
import { ApiError } from '../api-error.js';
import type { ApiContext, ApiParts } from '../api.js';
import { refuseSignIn } from './refuse-sign-in.js';

/** The first token that every request would be let through with. Throws `sign_in_refused` with what is wrong with the last. */
export async function findGoodToken(
  c: ApiContext,
  { authorize, proxies = new BlockList() }: Pick<ApiParts, 'authorize' | 'proxies'>,
  tokens: readonly string[],
): Promise<string> {
  let refusal: AccessRefusal | null = null;
  for (const token of tokens) {
    const request = new Request(c.req.url, { headers: { Authorization: `Bearer ${token}` } });
    const decided = await authorize(request, callerOf(c, proxies));
    if (decided !== null && !('code' in decided)) return token;
    refusal = decided ?? refusal;
  }
  if (refusal?.code === 'issuer_unavailable') throw new ApiError(refusal.code, refusal.detail);
  const words = 'The issuer let you in, but gave no token that is good for this API.';
  throw refuseSignIn(refusal === null ? words : `${words} ${refusal.detail}`);
}
