import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Schemas } from '../../api/api-types.js';
import { callApi, fillPath } from '../../api/call-api.js';
import { OPERATIONS } from '../../api/api-types.js';
import { followEvents } from '../../live/follow-events.js';
import { PageStream, type ShownPage } from './page-stream.js';

const UNTOLD_EVERY_MS = 2_000;
const COUNT_EVERY_MS = 5_000;
/** As many as the stream of a filter tells. */
export const PAGE_SIZE = 50;

/**
 * One page of the jobs that fit a filter. Of the first page the API tells what changes (`isLive`); while it cannot, the page is
 * asked for again and again. Other pages stand still.
 */
export function useJobPage(filter: string, cursor: string | undefined) {
  const isFirst = cursor === undefined;
  const isLive = useTold(filter, isFirst);
  const query = useQuery<ShownPage>({
    queryKey: keyOf(filter, cursor),
    queryFn: ({ signal }) =>
      callApi('listJobs', { params: { filter: filter || undefined, limit: PAGE_SIZE, cursor }, signal }),
    refetchInterval: ({ state }) => (isFirst && !isLive && state.error === null ? UNTOLD_EVERY_MS : false),
    placeholderData: keepPreviousData,
  });
  return { ...query, isLive };
}

const keyOf = (filter: string, cursor?: string) => ['jobs', filter, cursor ?? null] as const;

/** Follows the first page of a filter, and writes what is told where the page is read from. Returns whether it is told. */
function useTold(filter: string, isFollowed: boolean): boolean {
  const client = useQueryClient();
  const [live, setLive] = useState<string | null>(null);
  useEffect(() => {
    if (!isFollowed) return;
    const queryKey = keyOf(filter);
    const stream = new PageStream();
    const stop = followEvents(fillPath(OPERATIONS.followJobs[1], { filter: filter || undefined }), {
      onEvent({ data }) {
        const page = stream.read(JSON.parse(data) as Schemas['PageEvent']);
        if (page === null) return void client.invalidateQueries({ queryKey, exact: true });
        // an answer that is on its way may be older than what was told
        void client.cancelQueries({ queryKey, exact: true });
        client.setQueryData<ShownPage>(queryKey, page);
      },
      onState: (state) => setLive(state === 'live' ? filter : null),
    });
    return () => {
      stop();
      setLive(null);
    };
  }, [client, filter, isFollowed]);
  return isFollowed && live === filter;
}

/** How many jobs fit, exact up to a limit that the API sets. */
export function useJobCount(filter: string) {
  return useQuery({
    queryKey: ['job-count', filter],
    queryFn: ({ signal }) => callApi('countJobs', { params: { filter: filter || undefined }, signal }),
    refetchInterval: ({ state }) => (state.error === null ? COUNT_EVERY_MS : false),
    placeholderData: keepPreviousData,
    retry: false,
  });
}
