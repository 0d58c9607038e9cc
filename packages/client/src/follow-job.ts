import { ClientError } from './client-error.js';
import type { ClientOptions } from './client.js';
import { type JobState, reviveMoments } from './job.js';
import { readEvents } from './read-events.js';
import { readProblem } from './read-problem.js';
import { isPassing, RETRIES, toClientError, toHeaders } from './send-request.js';
import { toAddress, toPart } from './to-address.js';
import { pause, waitBefore } from './wait-before.js';

/**
 * Yields the state of a job now and after each change, until it has finished. A broken stream continues where it was;
 * it gives up after as many tries in a row as other requests. Throws `ClientError`, or the reason of the signal.
 */
export async function* followJob(
  options: ClientOptions,
  id: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<JobState> {
  const url = toAddress(options, `/v1/jobs/${toPart(id)}/events`);
  const retries = options.retries ?? RETRIES;
  let lastEventId: string | undefined;
  for (let tries = 0; ; tries++) {
    let failure: ClientError;
    let retryAfter: string | null = null;
    try {
      const response = await (options.fetch ?? fetch)(url, {
        headers: {
          ...(await toHeaders(options, 'text/event-stream')),
          ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
        },
        ...(signal === undefined ? {} : { signal }),
      });
      if (response.status === 204) return;
      if (!response.ok || response.body === null) {
        failure = await readProblem(response);
        if (!isPassing(response.status)) throw failure;
        retryAfter = response.headers.get('Retry-After');
      } else {
        for await (const event of readEvents(response.body)) {
          tries = 0;
          lastEventId = event.id;
          const state = reviveMoments<JobState>(JSON.parse(event.data) as JobState);
          yield state;
          if (state.finishedAt !== null) return;
        }
        failure = new ClientError('server_unreachable', `${new URL(options.url).origin} has ended the stream early.`);
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (ClientError.is(error)) throw error;
      failure = toClientError(options.url, error);
    }
    if (tries >= retries) throw failure;
    await pause(waitBefore(tries, retryAfter), signal);
  }
}
