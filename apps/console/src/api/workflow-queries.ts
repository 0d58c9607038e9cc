import { useQuery } from '@tanstack/react-query';
import type { Schemas } from './api-types.js';
import { callApi } from './call-api.js';

export type WorkflowType = Schemas['WorkflowType'];
export type WorkflowPlace = Schemas['WorkflowPlace'];
export type WorkflowStep = Schemas['WorkflowStep'];

const EVERY_MS = 5_000;

/** The durable types, with where their jobs are; fresh while the tab is seen. */
export function useWorkflows() {
  return useQuery({
    queryKey: ['workflows'],
    queryFn: ({ signal }) => callApi('listWorkflows', { params: {}, signal }),
    refetchInterval: ({ state }) => (state.error === null ? EVERY_MS : false),
  });
}
