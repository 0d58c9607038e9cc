/** What a server says that ends an idle session: `idle_session_timeout`. */
const IDLE = '57P05';

/** Tells of connections that broke. One that the server ends while it is idle is no loss: its pool opens another one. */
export const tellLost =
  (onLost: (error: Error) => void = () => {}) =>
  (error: Error & { readonly code?: unknown }): void => {
    if (error.code !== IDLE) onLost(error);
  };
