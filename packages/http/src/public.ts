/** What users of `@duework/http` get: no type of it asks for those of another package. */
import { createQueueHandler as create, type QueueHandler, type QueueHandlerOptions } from './create-queue-handler.js';

export type { AccessRefusal, Authorize, Caller } from './access/authorize/authorize.js';
export { authorizeAny } from './access/authorize/authorize-any.js';
export { authorizeByKey } from './access/authorize/authorize-by-key.js';
export { authorizeByOidc, type OidcOptions } from './access/authorize/authorize-by-oidc.js';
export { authorizeLocal } from './access/authorize/authorize-local.js';
export type { ConsoleLink, ConsoleOptions } from './console/console-link.js';
export { SCOPES, type Principal, type Scope } from './access/principal.js';
export { toNodeListener } from './mount/to-node-listener.js';
export type { HttpLog } from './observe/http-log.js';
export { signInByOidc, type SignInOptions } from './sign-in/sign-in-by-oidc.js';
export type { BegunSignIn, ReturnedSignIn, SignIn, SignInSecrets } from './sign-in/sign-in.js';
export type { QueueHandler, QueueHandlerOptions };

/**
 * The queue over HTTP, below any path of a framework that takes a Fetch handler; for others use `toNodeListener`.
 * Without `authorize` it takes only API keys, and over a queue in no database `authorize` is required. Throws for an
 * invalid `basePath` or link of the console.
 */
export const createQueueHandler: (options: QueueHandlerOptions) => QueueHandler = create;
