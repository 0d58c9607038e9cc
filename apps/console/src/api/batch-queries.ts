import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Schemas } from './api-types.js';
import { callApi } from './call-api.js';

export type Batch = Schemas['Batch'];
export const MOMENTS = ['onFirstDead', 'onSucceeded', 'onSettled'] as const;

const EVERY_MS = 2_000;
const LIST_EVERY_MS = 5_000;

/** One batch, again and again while jobs of it are open. */
export function useBatch(id: string | null, isEnabled = true) {
  return useQuery({
    queryKey: ['batch', id],
    queryFn: ({ signal }) => callApi('getBatch', { params: { id: id! }, signal }),
    enabled: id !== null && isEnabled,
    retry: false,
    refetchInterval: ({ state }) => (state.data === undefined || state.data.open === 0 ? false : EVERY_MS),
  });
}

/** A page of batches, the newest first. */
export function useBatches(cursor: string | undefined) {
  return useQuery({
    queryKey: ['batches', cursor ?? null],
    queryFn: ({ signal }) => callApi('listBatches', { params: { cursor }, signal }),
    refetchInterval: ({ state }) => (state.error === null ? LIST_EVERY_MS : false),
    placeholderData: keepPreviousData,
  });
}
