import type { Schemas } from './api-types.js';
import { OPERATIONS } from './api-types.js';
import { sendRequest } from './send-request.js';

/**
 * Enqueues a job from the JSON of its request, in which long numbers are as somebody wrote them. The same `requestKey`
 * enqueues once, however often it is sent.
 */
export async function enqueueJob(json: string, requestKey: string): Promise<Schemas['EnqueuedJob']> {
  const [method, path] = OPERATIONS.enqueueJob;
  const response = await sendRequest({ method, path, json, headers: { 'Idempotency-Key': requestKey } });
  return (await response.json()) as Schemas['EnqueuedJob'];
}
