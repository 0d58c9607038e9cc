import { useQuery } from '@tanstack/react-query';
import { callApi } from './call-api.js';

const EVERY_MS = 10_000;

/** Every type that can be enqueued, with its versions and who reads them. */
export function useContracts() {
  return useQuery({
    queryKey: ['contracts'],
    queryFn: async ({ signal }) => (await callApi('listContracts', { signal })).contracts,
    refetchInterval: ({ state }) => (state.error === null ? EVERY_MS : false),
  });
}
