import * as oauth from 'oauth4webapi';
import { refuseSignIn } from './refuse-sign-in.js';

const WORDS: Readonly<Record<string, string>> = {
  access_denied: 'The issuer did not let you in, or somebody stopped it there.',
  invalid_client: 'The issuer does not know this server: its client id or secret is wrong.',
  invalid_grant: 'The issuer no longer takes the code of this sign-in: it is used once, and soon. Sign in again.',
  unauthorized_client: 'The issuer does not let this server sign people in with a code.',
  invalid_scope: 'The issuer does not give what this server asks it for.',
  login_required: 'The issuer wants you to sign in there first.',
};

/** Faults of the issuer's own: it answers with what is no answer, or describes itself wrongly. */
const ISSUERS_OWN = new Set<string>([
  oauth.INVALID_SERVER_METADATA,
  oauth.MISSING_SERVER_METADATA,
  oauth.PARSE_ERROR,
  oauth.RESPONSE_IS_NOT_CONFORM,
  oauth.RESPONSE_IS_NOT_JSON,
]);

/** What an error of a sign-in tells the person: `sign_in_refused`, or the error itself where the issuer did not answer. */
export function describeSignInError(error: unknown): unknown {
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError) {
    const said = error.error_description === undefined ? '' : `: ${error.error_description.slice(0, 300)}`;
    return refuseSignIn(`${WORDS[error.error] ?? 'The issuer refused.'} It said ${error.error}${said}`, error);
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError) return refuseSignIn(WORDS['invalid_client']!, error);
  // the others are about what came back
  if (error instanceof oauth.OperationProcessingError && !ISSUERS_OWN.has(error.code ?? ''))
    return refuseSignIn(`What came back does not belong to this sign-in (${error.message}).`, error);
  return error;
}
