import type { AddressInfo, Server } from 'node:net';
import { PortError } from './port-error.js';

/**
 * Listens and returns the port, which matters when 0 was asked for. Rejects with a `PortError`, one readable line that
 * names `variable`, which sets the port.
 */
export function listenOn(
  server: Server,
  { host, port, variable }: { host: string; port: number; variable: string },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException): void => {
      const reason = cause.code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${cause.code ?? cause.message})`;
      reject(new PortError(`Port ${port} on ${host} ${reason}. Set ${variable} to a free port.`, { cause }));
    };
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
