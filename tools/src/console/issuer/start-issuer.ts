import { findFreePort } from '../../kit/find-free-port.js';
import { startService } from '../../kit/start-service.js';
import { waitUntilReady } from '../../kit/wait-until-ready.js';

export interface Issuer {
  readonly url: string;
  /** What the API needs to know of it. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts a real OpenID Connect provider, which sends people back to `redirectUri`. */
export async function startIssuer(redirectUri: string, onLine: (line: string) => void): Promise<Issuer> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const secret = 'a-secret-of-the-tests';
  const service = startService(
    { name: 'issuer', main: 'tools/dist/src/console/issuer/main.js' },
    {
      env: { ISSUER_PORT: String(port), ISSUER_SECRET: secret, ISSUER_REDIRECT_URI: redirectUri },
      onLine: (line) => onLine(line),
    },
  );
  await waitUntilReady('issuer', `${url}/.well-known/openid-configuration`, () => false);
  return {
    url,
    env: {
      OIDC_ISSUER: url,
      OIDC_AUDIENCE: 'duework',
      OIDC_ROLES: 'operator=read,operate',
      OIDC_CLIENT_ID: 'duework-console',
      OIDC_CLIENT_SECRET: secret,
    },
    async stop() {
      service.stop('SIGTERM');
      await service.exited;
    },
  };
}
