import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { OPERATIONS, type Schemas } from '../../api/api-types.js';
import { fillPath } from '../../api/call-api.js';
import { makeKey } from '../../api/make-key.js';
import { sendRequest } from '../../api/send-request.js';
import { useQueueBehind } from '../../session/use-refusal.js';
import { texts } from '../../texts/texts.js';
import { useToasts } from '../../ui/toasts.js';

/**
 * Enqueues, into a batch where one is given, and goes to the job. The same request, sent again because no answer came,
 * enqueues once, where the queue keeps answers.
 */
export function useEnqueue(batch?: string) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const toasts = useToasts();
  const isRepeatable = useQueueBehind()?.keepsAnswers ?? true;
  const last = useRef({ json: '', key: '' });
  return useMutation({
    mutationFn: (json: string) => {
      if (last.current.json !== json) last.current = { json, key: makeKey() };
      return enqueueJob(json, isRepeatable ? last.current.key : null, batch);
    },
    onSuccess({ id, deduplicated, payloadDiffers }) {
      void client.invalidateQueries({ queryKey: ['jobs'] });
      void client.invalidateQueries({ queryKey: ['batch', batch] });
      void client.invalidateQueries({ queryKey: ['job-count'] });
      toasts.add({
        title: deduplicated ? texts.enqueue.same(id) : texts.enqueue.done(id),
        ...(payloadDiffers ? { description: texts.enqueue.differs } : {}),
      });
      void navigate({ to: '/jobs/$id', params: { id } });
    },
  });
}

/**
 * Enqueues a job from the JSON of its request, in which long numbers are as somebody wrote them. The same `requestKey`
 * enqueues once, however often it is sent; null: this queue keeps no answers by which it could.
 */
async function enqueueJob(
  json: string,
  requestKey: string | null,
  batch: string | undefined,
): Promise<Schemas['EnqueuedJob']> {
  const [method, path] = OPERATIONS[batch === undefined ? 'enqueueJob' : 'addToBatch'];
  const response = await sendRequest({
    method,
    path: batch === undefined ? path : fillPath(path, { id: batch }),
    json: batch === undefined ? json : `{"jobs":[${json}]}`,
    ...(requestKey === null ? {} : { headers: { 'Idempotency-Key': requestKey } }),
  });
  const answer = (await response.json()) as Schemas['EnqueuedJob'] | Schemas['EnqueuedJobs'];
  return 'jobs' in answer ? answer.jobs[0]! : answer;
}
