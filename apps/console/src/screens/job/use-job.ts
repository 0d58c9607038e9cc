import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Schemas } from '../../api/api-types.js';
import { callApi, callForText } from '../../api/call-api.js';
import { readMembers } from '../../json/read-members.js';
import { useIsDone } from '../../session/use-refusal.js';
import { followEvents } from '../../live/follow-events.js';

export type JobDetail = Schemas['JobDetail'];

/** A job, and its members as the API wrote them. */
export interface ReadJob {
  readonly job: JobDetail;
  readonly raw: ReadonlyMap<string, string>;
}

export const isOver = ({ finishedAt }: Pick<JobDetail, 'finishedAt'>): boolean => finishedAt !== null;
export const readJob = (text: string): ReadJob => ({ job: JSON.parse(text) as JobDetail, raw: readMembers(text) });

const UNTOLD_EVERY_MS = 3_000;

/** A job, read again whenever the API tells that it has changed (`isLive`), or now and then while it cannot. */
export function useJob(id: string, isEnabled = true) {
  const client = useQueryClient();
  const [isLive, setLive] = useState(false);
  const query = useQuery({
    queryKey: ['job', id],
    queryFn: async ({ signal }) => readJob(await callForText('getJob', { params: { id }, signal })),
    enabled: isEnabled,
    refetchInterval: ({ state }) =>
      isLive || state.data === undefined || state.error !== null || isOver(state.data.job) ? false : UNTOLD_EVERY_MS,
  });
  const isFollowed = query.data !== undefined && !isOver(query.data.job);
  useEffect(() => {
    if (!isFollowed) return;
    const stop = followEvents(`/v1/jobs/${encodeURIComponent(id)}/events`, {
      onEvent: () => {
        void client.invalidateQueries({ queryKey: ['job', id] });
        void client.invalidateQueries({ queryKey: ['explanation', id] });
        void client.invalidateQueries({ queryKey: ['effects', id] });
        void client.invalidateQueries({ queryKey: ['steps', id] });
      },
      onState: (state) => setLive(state === 'live'),
    });
    return () => {
      stop();
      setLive(false);
    };
  }, [client, id, isFollowed]);
  return { ...query, isLive };
}

const EXPLAIN_EVERY_MS = 5_000;

/** Where a job is, and why. What it waits for can change without the job, so it is asked again while it waits. */
export function useExplanation(id: string, isWaiting: boolean) {
  return useQuery({
    queryKey: ['explanation', id],
    queryFn: ({ signal }) => callApi('explainJob', { params: { id }, signal }),
    enabled: useIsDone('explainJob'),
    refetchInterval: isWaiting ? EXPLAIN_EVERY_MS : false,
  });
}
