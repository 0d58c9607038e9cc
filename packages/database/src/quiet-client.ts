import pg from 'pg';

/**
 * A connection whose end is never an uncaught 'error'. The pool listens while a connection is idle, and Prisma's
 * adapter once it has it for a transaction; between the two nobody does, and a server that ends the session just then,
 * in the packet that accepts the client, would end the process. The user of the connection gets an error at the next
 * statement.
 *
 * For the `Client` of a pool, or of what `PrismaPg` is given. `onLost` gets the errors for which nobody else listens.
 */
export function quietClient(
  onLost: (error: Error) => void = () => {},
): new (config?: string | pg.ClientConfig) => pg.Client {
  return class QuietClient extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      // any other listener reports the error itself
      this.on('error', (error) => this.listenerCount('error') === 1 && onLost(error));
    }
  };
}
