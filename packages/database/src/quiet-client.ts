import pg from 'pg';

/**
 * A connection whose end is never an uncaught 'error'. The pool listens while a connection is idle, and Prisma's adapter once it
 * has it for a transaction; in between nobody does, and a server that says goodbye just then, in the packet with which it lets
 * the client in, would end the process. Whoever has the connection is refused by its next statement.
 *
 * For the `Client` of a pool, or of what `PrismaPg` is given. `onLost` is told what nobody else hears.
 */
export function quietClient(
  onLost: (error: Error) => void = () => {},
): new (config?: string | pg.ClientConfig) => pg.Client {
  return class QuietClient extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      // whoever else listens tells of it
      this.on('error', (error) => this.listenerCount('error') === 1 && onLost(error));
    }
  };
}
