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
      reject(new PortError(explain(cause, host, port, variable), { cause }));
    };
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Other programs set HOST, too, to what is no address of this machine: conda to the name of its compiler. */
function explain({ code, message }: NodeJS.ErrnoException, host: string, port: number, variable: string): string {
  const reason = code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${code ?? message})`;
  const isPort = code === 'EADDRINUSE' || code === 'EACCES';
  const fix = isPort
    ? `${variable} to a free port`
    : 'HOST to an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all';
  return `Port ${port} on ${host} ${reason}. Set ${fix}.`;
}
