import { createRemoteJWKSet, type RemoteJWKSet } from 'jose';
import { isLoopback } from './find-caller.js';

const TIMEOUT_MS = 5_000;

/** What an issuer tells about itself. */
export type IssuerDocument = Readonly<Record<string, unknown>> & { readonly issuer: string };

/** The discovery document of an OpenID Connect issuer. Throws when the issuer does not answer, or names itself otherwise. */
export async function readIssuer(issuer: string): Promise<IssuerDocument> {
  const url = checkAddress(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${url} answered with ${response.status}.`);
  const document = (await response.json()) as IssuerDocument;
  if (document.issuer !== issuer)
    throw new Error(`${url} is about the issuer ${JSON.stringify(document.issuer)}, not ${JSON.stringify(issuer)}.`);
  return document;
}

/**
 * The keys of an issuer, from its discovery document. Throws as `readIssuer` does, and when it has its keys at an address without
 * TLS that is not this machine's.
 */
export async function discoverIssuer(issuer: string, cooldownMs: number): Promise<RemoteJWKSet> {
  const document = await readIssuer(issuer);
  const keys = checkAddress(String(document['jwks_uri']));
  return createRemoteJWKSet(keys, { timeoutDuration: TIMEOUT_MS, cooldownDuration: cooldownMs });
}

/** Throws unless an address is over TLS, or this machine's, for development. */
export function checkAddress(text: string): URL {
  if (!URL.canParse(text)) throw new Error(`${JSON.stringify(text)} is not an address.`);
  const url = new URL(text);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(host))) return url;
  throw new Error(`${text} must be an https:// address.`);
}
