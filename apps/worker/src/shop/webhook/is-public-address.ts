import ipaddr from 'ipaddr.js';

/** Every address that is routed on the public IPv6 internet lies in here. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

/**
 * Whether an IP address is on the public internet. Loopback, private, link-local (the cloud's metadata service), shared
 * (100.64.0.0/10), multicast, documentation and reserved ones are not, and neither is an IPv6 address that only wraps
 * an IPv4 one (NAT64, 6to4, Teredo, `::127.0.0.1`); an IPv4-mapped one is judged by its IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // unwraps ::ffff:127.0.0.1
  const ip = ipaddr.process(address);
  if (ip.range() !== 'unicast') return false;
  return ip instanceof ipaddr.IPv4 || ip.match(GLOBAL_IPV6);
}
