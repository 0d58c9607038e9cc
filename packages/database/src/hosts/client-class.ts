import { quietClient } from '../quiet-client.js';
import { hostsClient, type ClientClass, type Hosts } from './hosts-client.js';

/** The class of the clients of one pool: pg's own way to connect for one host of which nothing is asked. */
export function clientClass(address: Hosts, onLost?: (error: Error) => void): ClientClass {
  const Quiet = quietClient(onLost);
  return address.others.length > 0 || address.isWritten ? hostsClient(address, Quiet) : Quiet;
}
