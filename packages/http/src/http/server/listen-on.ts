import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Listens and returns the port, which matters when 0 was asked for. Rejects with an error whose message is one readable
 * line that says which variable to change.
 */
export function listenOn(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(new Error(explain(cause.code, host, port), { cause })),
    );
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function explain(code: string | undefined, host: string, port: number): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is taken. Set API_PORT to a free port, or stop what listens there.`;
  if (code === 'EACCES')
    return `Port ${port} on ${host} is not allowed to this user. Set API_PORT to a port from 1024.`;
  return `Cannot listen on ${host}, port ${port} (${code ?? 'unknown'}). Set HOST to an address of this machine.`;
}
