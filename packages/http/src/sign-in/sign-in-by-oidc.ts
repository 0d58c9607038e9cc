import * as oauth from 'oauth4webapi';
import { checkAddress, readIssuer } from '../access/authorize/discover-issuer.js';
import { describeSignInError } from './describe-sign-in-error.js';
import { keepFor } from './keep-for.js';
import type { IssuedTokens, SignIn } from './sign-in.js';

export interface SignInOptions {
  /** As the issuer names itself: `https://login.example.org/realms/ops`. */
  readonly issuer: string;
  /** The issuer's name for this API. */
  readonly clientId: string;
  /** Absent: a public client, which PKCE alone protects. */
  readonly clientSecret?: string;
  /** The scope; it must contain `openid`. Default: `openid email`. */
  readonly scope?: string;
  /** Other parameters for a token of this API: `{ audience: 'duework' }`, `{ resource: 'https://…' }`. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** Part of the protocol: none of them is anybody's to choose. */
const FIXED = [
  'client_id',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'redirect_uri',
  'request',
  'request_uri',
  'response_mode',
  'response_type',
  'scope',
  'state',
];
const TIMEOUT_MS = 5_000;
/** How long what the issuer tells about itself is taken for true: anybody may begin a sign-in, and it is not asked for each. */
const KEPT_MS = 600_000;
/** How far the clocks may be apart. */
const TOLERANCE_SECONDS = 5;

/**
 * People sign in at an OpenID Connect issuer: authorization code with PKCE, state and nonce. Throws at once for wrong
 * options. `authorize` decides whether a token is good for this API.
 */
export function signInByOidc(options: SignInOptions): SignIn {
  const { issuer, clientId, clientSecret, scope = 'openid email', parameters = {} } = options;
  const { host, protocol } = checkAddress(issuer);
  if (clientId === '') throw new Error('clientId is empty.');
  if (!scope.split(' ').includes('openid')) throw new Error(`scope must contain openid, but it is ${scope}.`);
  const fixed = findFixedParameter(parameters);
  if (fixed !== undefined) throw new Error(`parameters has ${fixed}, which is part of the protocol.`);
  const readServer = keepFor(KEPT_MS, async () => (await readIssuer(issuer)) as oauth.AuthorizationServer);
  // this machine's own issuer, for development: no other address without TLS came this far
  const within = () => ({
    signal: AbortSignal.timeout(TIMEOUT_MS),
    [oauth.allowInsecureRequests]: protocol === 'http:',
  });
  const client: oauth.Client = { client_id: clientId, [oauth.clockTolerance]: TOLERANCE_SECONDS };

  return {
    issuer: host,
    async begin(redirectUri) {
      const { authorization_endpoint: endpoint } = await readServer();
      const [state, nonce, verifier] = [
        oauth.generateRandomState(),
        oauth.generateRandomNonce(),
        oauth.generateRandomCodeVerifier(),
      ];
      const address = checkAddress(String(endpoint));
      const query = {
        ...parameters,
        client_id: clientId,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        nonce,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope,
        state,
      };
      for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
      return { address: address.href, state, nonce, verifier };
    },
    async finish({ parameters: given, redirectUri, state, nonce, verifier }) {
      const server = await readServer();
      checkAddress(String(server.token_endpoint));
      try {
        const checked = oauth.validateAuthResponse(server, client, given, state);
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          authenticate(server, clientSecret),
          checked,
          redirectUri,
          verifier,
          within(),
        );
        const issued = await oauth.processAuthorizationCodeResponse(server, client, response, {
          expectedNonce: nonce,
          requireIdToken: true,
        });
        return toTokens(issued);
      } catch (error) {
        throw describeSignInError(error);
      }
    },
    async refresh(refreshToken) {
      const server = await readServer();
      checkAddress(String(server.token_endpoint));
      try {
        const response = await oauth.refreshTokenGrantRequest(
          server,
          client,
          authenticate(server, clientSecret),
          refreshToken,
          within(),
        );
        const issued = toTokens(await oauth.processRefreshTokenResponse(server, client, response));
        // an issuer that gives no other one means that this one goes on
        return { ...issued, refreshToken: issued.refreshToken ?? refreshToken };
      } catch (error) {
        throw describeSignInError(error);
      }
    },
    async end({ idToken, refreshToken, redirectUri }) {
      const server = await readServer();
      if (refreshToken !== null && server.revocation_endpoint !== undefined) {
        checkAddress(server.revocation_endpoint);
        const how = authenticate(server, clientSecret);
        await oauth.revocationRequest(server, client, how, refreshToken, within());
      }
      if (server.end_session_endpoint === undefined) return null;
      const address = checkAddress(server.end_session_endpoint);
      address.searchParams.set('client_id', clientId);
      address.searchParams.set('post_logout_redirect_uri', redirectUri);
      if (idToken !== null) address.searchParams.set('id_token_hint', idToken);
      return address.href;
    },
  };
}

const toTokens = ({
  access_token: accessToken,
  id_token,
  refresh_token,
}: oauth.TokenEndpointResponse): IssuedTokens => ({
  tokens: id_token === undefined ? [accessToken] : [accessToken, id_token],
  refreshToken: refresh_token ?? null,
  idToken: id_token ?? null,
});

/** A name in `parameters` that is part of the protocol; undefined: there is none. */
export const findFixedParameter = (parameters: Readonly<Record<string, string>>): string | undefined =>
  Object.keys(parameters).find((name) => FIXED.includes(name));

/** As the issuer says that it takes the secret; in the header unless it says otherwise. */
function authenticate(server: oauth.AuthorizationServer, secret: string | undefined): oauth.ClientAuth {
  if (secret === undefined) return oauth.None();
  const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return ways.includes('client_secret_basic') ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret);
}
