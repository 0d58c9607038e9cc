import { BlockList, isIP } from 'node:net';
import type { Caller } from './authorize.js';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** What a proxy adds; a client may add it, too, and then gets less, not more. */
const OF_PROXIES = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/**
 * Who is at the other end. `X-Forwarded-For` is believed from a proxy whose address is in `proxies`, from the right: the
 * first address that is no such proxy is the client's. No header makes a request local, and each of a proxy makes it
 * not local.
 */
export function findCaller(headers: Headers, peer: string | null, proxies: BlockList): Caller {
  const address = peer === null ? null : plain(peer);
  const isLocal = address !== null && contains(loopback, address) && !OF_PROXIES.some((name) => headers.has(name));
  if (address === null || !contains(proxies, address)) return { address, isLocal };
  const forwarded = (headers.get('x-forwarded-for') ?? '').split(',').map((part) => plain(part.trim()));
  const client = forwarded.findLast((part) => !contains(proxies, part));
  return { address: client !== undefined && isIP(client) !== 0 ? client : address, isLocal };
}

/** Whether an address is this machine's own: what `HOST` may be while anybody on it is served without a key. */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || contains(loopback, plain(host));
}

/** An IPv4 address that came over IPv6 is one of IPv4. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

function contains(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
}
