import { FILTER_STATUSES } from '@duework/filter';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from './api-types.js';
import { texts } from '../texts/texts.js';
import { notDoneIn } from '../ui/missing-shards.js';
import { useToasts } from '../ui/toasts.js';
import { callApi } from './call-api.js';

export type BulkAction = Schemas['BulkAction'];
export type BulkPreview = Schemas['BulkPreview'];
export type NewBulkAction = Schemas['NewBulkAction'];

const RUNNING_MS = 500;
const STILL_MS = 5_000;
const OUTCOME_MS = 2_000;
const LISTED = 50;

/** What an action would do; null: what was asked for is not complete yet. It is asked again each time it is wanted. */
export function useBulkPreview(body: NewBulkAction | null) {
  return useQuery({
    queryKey: ['bulk-preview', body],
    queryFn: ({ signal }) => callApi('previewBulkAction', { body: body!, signal }),
    enabled: body !== null,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  });
}

/** One action, read again while it runs. */
export function useBulkAction(id: string | null) {
  return useQuery({
    queryKey: ['bulk-actions', id],
    queryFn: ({ signal }) => callApi('getBulkAction', { params: { id: id! }, signal }),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? RUNNING_MS : false),
  });
}

/** Of the jobs that an action has changed, how many have which status now; read again while some of them have not ended. */
export function useOutcome({ id, done, status, verb }: BulkAction) {
  return useQuery({
    queryKey: ['bulk-outcome', id],
    queryFn: async ({ signal }) => {
      const counted = await Promise.all(
        FILTER_STATUSES.map(async (of) => {
          const filter = `bulk:${id.replaceAll('~', ',')} status:${of}`;
          return { status: of, ...(await callApi('countJobs', { params: { filter }, signal })) };
        }),
      );
      return counted.filter(({ count }) => count > 0);
    },
    enabled: status !== 'running' && done > 0 && verb !== 'delete',
    refetchInterval: ({ state: { data = [] } }) =>
      data.some(({ status: of }) => of === 'queued' || of === 'running' || of === 'failed') ? OUTCOME_MS : false,
  });
}

/** The newest actions. */
export function useBulkActions() {
  return useQuery({
    queryKey: ['bulk-actions'],
    queryFn: ({ signal }) => callApi('listBulkActions', { params: { limit: LISTED }, signal }),
    refetchInterval: ({ state }) =>
      state.data?.actions.some(({ status }) => status === 'running') === true ? RUNNING_MS : STILL_MS,
  });
}

/** Something done to an action: what it answers is shown at once, by `onDone` too. */
function useActing<T>(send: (asked: T) => Promise<BulkAction>, onDone?: (action: BulkAction) => void) {
  const client = useQueryClient();
  const toasts = useToasts();
  return useMutation({
    mutationFn: send,
    onSuccess(action) {
      const notDone = notDoneIn(action);
      if (notDone.description !== undefined) toasts.add({ title: texts.bulk.partly, ...notDone });
      client.setQueryData(['bulk-actions', action.id], action);
      void client.invalidateQueries({ queryKey: ['bulk-actions'] });
      onDone?.(action);
    },
  });
}

export const useStartBulkAction = (onDone: (action: BulkAction) => void) =>
  useActing((body: NewBulkAction) => callApi('startBulkAction', { body }), onDone);

export const useAbortBulkAction = () =>
  useActing((id: string) => callApi('abortBulkAction', { params: { id }, body: {} }));

export const useUndoBulkAction = (onDone: (action: BulkAction) => void) =>
  useActing((id: string) => callApi('undoBulkAction', { params: { id }, body: {} }), onDone);
