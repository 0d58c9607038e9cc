/** `@duework/client`: the queue over HTTP. Every name here is a promise. */
export { ClientError, type ClientErrorCode, type ProblemIssue } from './client-error.js';
export type {
  AskedContract,
  Client,
  EnqueueRequest,
  JobChange,
  JobListing,
  NewJob,
  PublishedEvent,
  PublishRequest,
} from './client.js';
export type { ClientOptions } from './client-options.js';
export type { ActRequest, JobVerbs } from './job-verbs.js';
export type { EndedPage, EndedRequest } from './read-ended.js';
export type { RequestOptions } from './request-options.js';
export type {
  FlowChange,
  FlowClient,
  FlowHolder,
  FlowKey,
  FlowKeyPage,
  FlowKeyQuery,
  FlowPreview,
  FlowRequest,
  FlowRuleState,
  FlowTerms,
} from './flow.js';
export type { FlowKind } from '@duework/contracts';
export { createClient } from './create-client.js';
export {
  reviveMoments,
  type EnqueuedJob,
  type Job,
  type JobAttempt,
  type JobPage,
  type ShardProblem,
  type JobState,
  type JobStatus,
  type Json,
} from './job.js';
