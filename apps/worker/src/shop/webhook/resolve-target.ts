import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './is-public-address.js';

export interface TargetAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Every address of a host name, as the system resolves it. */
export type ResolveHost = (host: string) => Promise<readonly TargetAddress[]>;

export const resolveHost: ResolveHost = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => ({ address, family: isIP(address) === 6 ? 6 : 4 }));

/**
 * The addresses a webhook may be sent to; null: at least one of them is private, and the whole name is refused, because
 * which one a connection takes cannot be chosen here. The caller connects to these and resolves nothing again, so that
 * a name that resolves to another address meanwhile (DNS rebinding) gains nothing. Throws the resolver's error.
 */
export async function resolveTarget(
  url: URL,
  resolve: ResolveHost,
  isPrivateAllowed: boolean,
): Promise<readonly TargetAddress[] | null> {
  // new URL() has turned 2130706433, 0x7f.1 and the like into 127.0.0.1
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const version = isIP(host);
  const addresses = version === 0 ? await resolve(host) : [{ address: host, family: version === 6 ? 6 : 4 } as const];
  return isPrivateAllowed || addresses.every(({ address }) => isPublicAddress(address)) ? addresses : null;
}
