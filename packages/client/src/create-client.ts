import type { InputOf } from '@duework/contracts';
import { ClientError } from './client-error.js';
import type { AskedContract, Client, EnqueueRequest, PublishedEvent } from './client.js';
import type { ClientOptions } from './client-options.js';
import { flowClient } from './flow-client.js';
import { followJob } from './follow-job.js';
import { reviveMoments, type EnqueuedJob, type Job, type JobAttempt, type JobPage } from './job.js';
import { jobVerbs, type SentDetail, toJob } from './job-verbs.js';
import { readEnded } from './read-ended.js';
import type { RequestOptions } from './request-options.js';
import { pick, sendRequest, type SentRequest } from './send-request.js';
import { toPart } from './to-address.js';

type Sent<T> = { readonly [K in keyof T]: T[K] extends Date ? string : T[K] };
type SentEnqueued = Sent<Omit<EnqueuedJob, 'isDeduplicated'>> & { readonly deduplicated: boolean };

/**
 * A client of the API at `url`; it connects when it is first used.
 *
 * @throws ClientError `invalid_client_option`
 */
export function createClient(options: ClientOptions): Client {
  if (!/^https?:\/\/./.test(options.url) || !URL.canParse(options.url))
    throw new ClientError('invalid_client_option', 'url is the address of an API, such as https://jobs.example.org.');
  const { username, password } = new URL(options.url);
  if (username + password !== '')
    throw new ClientError('invalid_client_option', 'url has no user and no password; give what lets you in as key.');
  const send = async <T>(request: SentRequest): Promise<T> => (await sendRequest(options, request)).json as T;
  const ofJob = (id: string): string => `/v1/jobs/${toPart(id)}`;
  const getJob: Client['getJob'] = async (id, given = {}) => {
    const { attemptHistory, ...job } = await send<SentDetail>({ ...pick(given), method: 'GET', path: ofJob(id) });
    return {
      job: reviveMoments<Job>(job),
      attempts: attemptHistory.map((attempt) => reviveMoments<JobAttempt>(attempt)),
    };
  };
  return {
    getJob,
    async getResult<C extends AskedContract>(_: C, id: string, given?: RequestOptions) {
      return (await getJob(id, given)).job.result as InputOf<C['result']> | null;
    },
    async enqueue({ type }, payload, request = {}) {
      const path = '/v1/jobs';
      const requestKey = request.requestKey ?? crypto.randomUUID();
      const body = { type, payload, ...toBody(request) };
      const sent = await send<SentEnqueued>({
        ...pick(request),
        method: 'POST',
        path,
        requestKey,
        body,
      });
      return toEnqueued(sent);
    },
    async enqueueMany({ type }, jobs, request = {}) {
      const sent = await send<{ jobs: SentEnqueued[] }>({
        ...pick(request),
        method: 'POST',
        path: '/v1/jobs/batch',
        requestKey: request.requestKey ?? crypto.randomUUID(),
        body: { jobs: jobs.map(({ payload, ...given }) => ({ type, payload, ...toBody(given) })) },
      });
      return sent.jobs.map(toEnqueued);
    },
    async publish({ name }, payload, request = {}) {
      const { idempotencyKey, meta } = request;
      const { deduplicated, ...sent } = await send<Omit<PublishedEvent, 'isDeduplicated'> & { deduplicated: boolean }>({
        ...pick(request),
        method: 'POST',
        path: `/v1/published-events/${toPart(name)}`,
        requestKey: request.requestKey ?? crypto.randomUUID(),
        body: { payload, idempotencyKey, meta },
      });
      return { ...sent, isDeduplicated: deduplicated };
    },
    follow: (id, { signal } = {}) => followJob(options, id, signal),
    readEnded: (request = {}) => readEnded(send, request),
    async findJobs(listing = {}, given = {}) {
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(listing)) if (value !== undefined) query.set(name, String(value));
      const path = query.size === 0 ? '/v1/jobs' : `/v1/jobs?${query}`;
      const { complete, ...page } = await send<JobPage & { complete: boolean }>({
        ...pick(given),
        method: 'GET',
        path,
      });
      return { ...page, isComplete: complete, jobs: page.jobs.map((job) => reviveMoments<Job>(job)) };
    },
    async update(id, change, given = {}) {
      const sent = await send<SentDetail>({ ...pick(given), method: 'PATCH', path: ofJob(id), body: change });
      return toJob(sent);
    },
    ...jobVerbs((request) => sendRequest(options, request)),
    flow: flowClient(send),
    request: (method, path, given = {}) => send({ ...pick(given), method, path, body: given.body }),
  };
}

const toEnqueued = ({ deduplicated, ...job }: SentEnqueued): EnqueuedJob => ({
  ...reviveMoments<Omit<EnqueuedJob, 'isDeduplicated'>>(job),
  isDeduplicated: deduplicated,
});

/** JSON leaves out what is undefined, and has moments as texts. */
const toBody = ({ signal: _, timeoutMs: __, requestKey: ___, ...job }: EnqueueRequest): object => job;
