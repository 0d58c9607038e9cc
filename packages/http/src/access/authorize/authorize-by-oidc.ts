import { isGrantedScope, splitScopes, type GrantedScope } from '@duework/operate';
import { toPlainName } from '@duework/sql/errors';
import { errors, jwtVerify, type JWTPayload, type RemoteJWKSet } from 'jose';
import type { AccessRefusal, Authorize } from './authorize.js';
import { checkAddress, discoverIssuer } from './discover-issuer.js';
import { readBearer } from './read-bearer.js';

export interface OidcOptions {
  /** As the issuer names itself in its tokens: `https://login.example.org/realms/ops`. */
  readonly issuer: string;
  /** Which of the issuer's tokens are for this API. */
  readonly audience: string;
  /** The roles in a token: a claim, or a path such as `realm_access.roles`. Default: `roles`. */
  readonly rolesClaim?: string;
  /** The scopes of each role; any other role has none. */
  readonly roles: Readonly<Record<string, readonly string[]>>;
  /** Told when the issuer cannot be asked for its keys. */
  readonly onUnavailable?: (error: Error) => void;
  /** How long an unknown key is not asked for again. Default: 30,000. */
  readonly cooldownMs?: number;
}

/** Signatures that only the issuer can make: no `none`, and no secret that a public key could be taken for. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** How far the clocks may be apart. */
const TOLERANCE_SECONDS = 5;

/**
 * Knows the tokens of one OpenID Connect issuer, for people. The issuer's keys are asked for with the first token and
 * again for a key that is new. Throws at once when `roles` has a scope that is none, or `issuer` is no https address.
 */
export function authorizeByOidc(options: OidcOptions): Authorize {
  const { issuer, audience, rolesClaim = 'roles', roles, onUnavailable = () => {}, cooldownMs = 30_000 } = options;
  checkAddress(issuer);
  if (audience === '') throw new Error('audience is empty: every token of the issuer would be taken.');
  const scopesOf = checkRoles(roles);
  let keys: Promise<RemoteJWKSet> | undefined;
  const readKeys = (): Promise<RemoteJWKSet> =>
    (keys ??= discoverIssuer(issuer, cooldownMs).catch((error: unknown) => {
      keys = undefined;
      throw error;
    }));

  return async (request, { address }) => {
    const token = readBearer(request);
    if (token === null || !/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)) return null;
    try {
      const verify = await readKeys();
      const { payload } = await jwtVerify(token, verify, {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: TOLERANCE_SECONDS,
        requiredClaims: ['exp', 'sub'],
      });
      const granted = readRoles(payload, rolesClaim).flatMap((role) => scopesOf.get(role) ?? []);
      return {
        id: `person:${payload.sub}`,
        name: `person:${nameOf(payload)}`,
        kind: 'person',
        ...splitScopes(granted),
        from: address,
      };
    } catch (error) {
      const refusal = toRefusal(error);
      if (refusal.code === 'issuer_unavailable') onUnavailable(error as Error);
      return refusal;
    }
  };
}

/** A Map, because a role is a text of somebody else: `constructor` must find nothing. */
function checkRoles(roles: OidcOptions['roles']): ReadonlyMap<string, readonly GrantedScope[]> {
  return new Map(
    Object.entries(roles).map(([role, scopes]) => {
      const wrong = scopes.find((scope) => !isGrantedScope(scope));
      if (wrong !== undefined) throw new Error(`The role ${role} has ${JSON.stringify(wrong)}, which is not a scope.`);
      return [role, scopes as readonly GrantedScope[]];
    }),
  );
}

function readRoles(payload: JWTPayload, path: string): string[] {
  let found: unknown = Object.hasOwn(payload, path) ? payload[path] : undefined;
  if (found === undefined) {
    found = payload;
    for (const part of path.split('.'))
      found =
        typeof found === 'object' && found !== null && Object.hasOwn(found, part)
          ? (found as JWTPayload)[part]
          : undefined;
  }
  if (typeof found === 'string') return found.split(' ');
  return Array.isArray(found) ? found.filter((role) => typeof role === 'string') : [];
}

/** An address that the issuer has not verified may be anybody's: the audit would blame the wrong person. */
function nameOf({ sub, email, email_verified: isVerified }: JWTPayload): string {
  const name = isVerified === true && typeof email === 'string' ? email : String(sub);
  return toPlainName(name, 200);
}

function toRefusal(error: unknown): AccessRefusal {
  if (error instanceof errors.JWTExpired) return { code: 'expired_credentials', detail: 'This token has expired.' };
  if (error instanceof errors.JWTClaimValidationFailed)
    return {
      code: 'invalid_credentials',
      detail: `The claim ${error.claim} of this token does not have the expected value.`,
    };
  // a key set that cannot be read is JOSEError itself; each fault of a token has a class of its own
  const isOfToken =
    error instanceof errors.JOSEError &&
    error.code !== 'ERR_JOSE_GENERIC' &&
    !(error instanceof errors.JWKSTimeout) &&
    !(error instanceof errors.JWKSInvalid);
  if (isOfToken) return { code: 'invalid_credentials', detail: 'The issuer did not sign this token for this API.' };
  return {
    code: 'issuer_unavailable',
    detail: 'The issuer of the token cannot be asked for its keys. Try again in a moment.',
  };
}
