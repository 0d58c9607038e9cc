import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { callApi } from '../../api/call-api.js';
import { usePrincipal } from '../../session/use-principal.js';
import { findRefusal, type Operation } from '../../session/use-refusal.js';
import type { Vocabulary } from './list-suggestions.js';

const STALE_MS = 60_000;
const unique = (names: readonly string[]): string[] => [...new Set(names)].toSorted();

/** The names that there are now, asked for when somebody begins to type. */
export function useVocabulary(enabled: boolean): Vocabulary {
  const who = usePrincipal().data;
  const optionsOf = (operation: Operation) => ({
    enabled: enabled && who !== undefined && findRefusal(who, operation) === null,
    staleTime: STALE_MS,
  });
  const contracts = useQuery({
    queryKey: ['contracts'],
    queryFn: ({ signal }) => callApi('listContracts', { signal }),
    ...optionsOf('listContracts'),
  }).data?.contracts;
  const queues = useQuery({
    queryKey: ['queues'],
    queryFn: ({ signal }) => callApi('listQueues', { signal }),
    ...optionsOf('listQueues'),
  }).data?.queues;
  const schedules = useQuery({
    queryKey: ['schedules'],
    queryFn: ({ signal }) => callApi('listSchedules', { params: {}, signal }),
    ...optionsOf('listSchedules'),
  }).data?.schedules;
  const workers = useQuery({
    queryKey: ['workers'],
    queryFn: ({ signal }) => callApi('listWorkers', { signal }),
    ...optionsOf('listWorkers'),
  }).data?.workers;
  const rules = useQuery({
    queryKey: ['flow'],
    queryFn: ({ signal }) => callApi('listFlowRules', { signal }),
    ...optionsOf('listFlowRules'),
  }).data?.rules;
  return useMemo(
    () => ({
      types: unique((contracts ?? []).map(({ type }) => type)),
      queues: unique((queues ?? []).map(({ queue }) => queue)),
      schedules: unique((schedules ?? []).map(({ key }) => key)),
      workers: unique((workers ?? []).map(({ name }) => name)),
      rules: unique((rules ?? []).map(({ name }) => name)),
      shards: unique([...(schedules ?? []), ...(workers ?? []), ...(rules ?? [])].flatMap(shardOf)),
      asked: who?.queue.filters ?? null,
      fields: new Map(
        (contracts ?? []).map(({ type, versions }) => [type, namesOf(versions.at(-1)?.payloadSchema)] as const),
      ),
    }),
    [contracts, queues, schedules, workers, rules, who],
  );
}

/** A row of an API over several databases says its shard. */
function shardOf(row: object): readonly string[] {
  const { shard } = row as { readonly shard?: unknown };
  return typeof shard === 'string' ? [shard] : [];
}

function namesOf(schema: Readonly<Record<string, unknown>> | undefined): string[] {
  const properties = schema?.['properties'];
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}
