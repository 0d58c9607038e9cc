export type { AccessRefusal, Authorize, Caller } from './access/authorize/authorize.js';
export { authorizeAny } from './access/authorize/authorize-any.js';
export { authorizeByKey } from './access/authorize/authorize-by-key.js';
export { authorizeByOidc, type OidcOptions } from './access/authorize/authorize-by-oidc.js';
export { authorizeLocal } from './access/authorize/authorize-local.js';
export { checkType } from './access/check-type.js';
export { checkAddress } from './access/authorize/discover-issuer.js';
export { isLoopback } from './access/authorize/find-caller.js';
export { SCOPES, type Principal, type Scope } from './access/principal.js';
export { ApiError } from './api-error.js';
export { checkLinks } from './console/check-links.js';
export type { ConsoleLink, ConsoleOptions } from './console/console-link.js';
export type { ApiContext, ApiEnv, ApiParts, Route } from './api.js';
export { createApp } from './create-app.js';
export {
  createQueueHandler,
  type QueueAlone,
  type QueueHandler,
  type QueueHandlerOptions,
  type SeveralDatabases,
  type SingleDatabase,
} from './create-queue-handler.js';
export { createServer, type FetchHandler, type ServerLimits } from './http/server/create-server.js';
export { listenOn } from './http/server/listen-on.js';
export { parseBody } from './http/requests/parse-body.js';
export { plainText } from './http/requests/plain-text.js';
export { readJsonBody } from './http/requests/read-json-body.js';
export { retryConflicts } from './http/retry-conflicts.js';
export { singleBodyLimit } from './http/requests/single-body-limit.js';
export { stopServer } from './http/server/stop-server.js';
export { HTTP_ERRORS, type HttpError, type HttpErrorCode } from './http-errors.js';
export { PROBLEM_ADVICE, type Advice } from './pages/problem-advice.js';
export { enqueuedJob, presentEnqueuedJob } from './jobs/present-job.js';
export { toNodeListener } from './mount/to-node-listener.js';
export { createMetrics, type Metrics } from './observe/create-metrics.js';
export type { HttpLog } from './observe/http-log.js';
export { answer, answerWithLocation } from './openapi/answers.js';
export { idParameter } from './openapi/parameters.js';
export { BODY_PROBLEMS, DATABASE_PROBLEMS, problems } from './openapi/problems.js';
export { findFixedParameter, signInByOidc, type SignInOptions } from './sign-in/sign-in-by-oidc.js';
export type { BegunSignIn, ReturnedSignIn, SignIn, SignInSecrets } from './sign-in/sign-in.js';
export type { ShardOf } from './shards/shards.js';
export { within } from './within.js';
