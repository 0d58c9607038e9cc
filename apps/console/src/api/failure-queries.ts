import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Schemas } from './api-types.js';
import { callApi } from './call-api.js';

export type FailureGroup = Schemas['FailureGroup'];
export type FailureList = Schemas['FailureList'];
export const RANGES = ['1h', '24h', '7d', '30d'] as const;
export type Range = (typeof RANGES)[number];

const EVERY_MS = 5_000;

/** Why jobs failed lately; fresh while the tab is seen. */
export function useFailures(range: Range, type: string | undefined) {
  return useQuery({
    queryKey: ['failures', range, type ?? null],
    queryFn: ({ signal }) => callApi('listFailures', { params: { range, type }, signal }),
    refetchInterval: ({ state }) => (state.error === null ? EVERY_MS : false),
    placeholderData: keepPreviousData,
  });
}

/** The versions of the code that workers run which live, by their names. */
export function useCodeVersions(): ReadonlyMap<string, string> {
  const { data } = useQuery({
    queryKey: ['workers'],
    queryFn: ({ signal }) => callApi('listWorkers', { signal }),
    staleTime: 60_000,
  });
  return new Map(
    (data?.workers ?? []).flatMap(({ name, codeVersion }) => (codeVersion === null ? [] : [[name, codeVersion]])),
  );
}
