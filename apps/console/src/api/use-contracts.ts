import { useQuery } from '@tanstack/react-query';
import { callApi } from './call-api.js';

const EVERY_MS = 10_000;

/** Every type that can be enqueued, with its versions and who reads them. */
export function useContracts() {
  return useQuery({
    queryKey: ['contracts'],
    queryFn: ({ signal }) => callApi('listContracts', { signal }),
    // what is kept under the name is the whole answer, for everybody who asks for it
    select: ({ contracts }) => contracts,
    refetchInterval: ({ state }) => (state.error === null ? EVERY_MS : false),
  });
}
