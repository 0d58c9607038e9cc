import { createServer } from 'node:net';
import { DatabaseError } from '@duework/database/migrate';

/**
 * Makes sure that a port of 127.0.0.1 is free.
 *
 * @param port - 0 picks any free one
 * @returns the port
 * @throws DatabaseError `embedded_port_taken`
 */
export function checkPort(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new DatabaseError('embedded_port_taken', {
          problem:
            error.code === 'EADDRINUSE'
              ? `Port ${port} is taken, so the embedded PostgreSQL cannot have it.`
              : `The embedded PostgreSQL cannot listen on port ${port} (${error.code ?? error.message}).`,
          fix: 'Set POSTGRES_PORT to a free port.',
          cause: error,
        }),
      ),
    );
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      const address = server.address();
      const chosen = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => resolve(chosen));
    });
  });
}
