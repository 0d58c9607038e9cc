/**
 * An OpenID Connect provider for tests, in a process of its own. Anybody signs in with any password; the login is the subject, and
 * `ops` at its beginning makes an operator, `ops-brief` one whose token lasts for a second.
 */
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const { ISSUER_PORT: port, ISSUER_SECRET: secret, ISSUER_REDIRECT_URI: redirectUri } = process.env;
const issuer = `http://127.0.0.1:${port}`;

const claimsOf = (login: string) => ({
  sub: login,
  email: `${login}@example.org`,
  email_verified: true,
  roles: login.startsWith('ops') ? ['operator'] : [],
});

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'duework-console',
      client_secret: secret,
      redirect_uris: [redirectUri],
      post_logout_redirect_uris: [redirectUri!.replace('/signed-in', '/signed-out')],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
  ],
  cookies: { keys: ['for-tests'] },
  pkce: { required: () => true },
  findAccount: (_context: unknown, login: string) => ({ accountId: login, claims: () => claimsOf(login) }),
  claims: { openid: ['sub'], email: ['email', 'email_verified'] },
  // an access token that says for which API it is, and who may do what there
  extraTokenClaims: (_context: unknown, token: { readonly accountId: string }) => claimsOf(token.accountId),
  issueRefreshToken: () => true,
  // so short that a test need not wait for it to be over
  ttl: {
    AccessToken: (_context: unknown, { accountId }: { accountId: string }) =>
      accountId.startsWith('ops-brief') ? 1 : 3_600,
  },
  features: {
    devInteractions: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => 'https://duework.example/api',
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        audience: 'duework',
        scope: '',
        accessTokenFormat: 'jwt',
      }),
    },
  },
});
createServer(provider.callback()).listen(Number(port), '127.0.0.1');
