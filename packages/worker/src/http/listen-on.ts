import type { AddressInfo, Server } from 'node:net';
import { PortError } from './port-error.js';

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** false: any free port will do where this one is taken. */
  readonly isFixed: boolean;
  /** What sets the port. */
  readonly variable: string;
}

/** Listens and returns the port. Rejects with a `PortError`, one readable line that names the variable. */
export function listenOn(server: Server, { host, port, isFixed, variable }: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException): void => {
      if (!isFixed && cause.code === 'EADDRINUSE') {
        resolve(listenOn(server, { host, port: 0, isFixed: true, variable }));
        return;
      }
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
