import { callApi } from '../api/call-api.js';
import { keepSignIn, RETURN_PATH } from './pending-sign-in.js';

/** Leaves for the issuer, and comes back to where somebody is now. */
export async function beginSignIn(): Promise<void> {
  const redirectUri = location.origin + RETURN_PATH;
  const { address, ...secrets } = await callApi('beginSignIn', { body: { redirectUri } });
  const { pathname, search, hash } = location;
  keepSignIn({ ...secrets, redirectUri, path: pathname + search + hash });
  location.assign(address);
}
