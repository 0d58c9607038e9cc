/**
 * An OpenID Connect provider for tests, in a process of its own. Anybody signs in with any password; the login is the subject, and
 * `ops` at its beginning makes an operator.
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
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
  ],
  cookies: { keys: ['for-tests'] },
  pkce: { required: () => true },
  findAccount: (_context: unknown, login: string) => ({ accountId: login, claims: () => claimsOf(login) }),
  claims: { openid: ['sub'], email: ['email', 'email_verified'] },
  // an access token that says for which API it is, and who may do what there
  extraTokenClaims: (_context: unknown, token: { readonly accountId: string }) => claimsOf(token.accountId),
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
        accessTokenTTL: 3_600,
      }),
    },
  },
});
createServer(provider.callback()).listen(Number(port), '127.0.0.1');
