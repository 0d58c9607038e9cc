import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMay } from '../session/use-principal.js';
import { useIsDone } from '../session/use-refusal.js';
import type { Operations, Schemas } from './api-types.js';
import { callApi } from './call-api.js';

export type QueueState = Schemas['QueueState'];
export type Worker = Schemas['LiveWorker'];
export type Unserved = Schemas['UnservedType'];
export type Figures = Schemas['Figures'];
export type Pause = Schemas['Pause'];
export type Finding = Schemas['Finding'];
export type Alert = Schemas['Alert'];
export type AlertSilence = Schemas['AlertSilence'];

const NOW_EVERY_MS = 3_000;
/** Workers look for them each minute. */
const ALERTS_EVERY_MS = 10_000;
const DOCTOR_EVERY_MS = 60_000;

/** What waits and runs now, by queue and type. */
export function useQueues() {
  return useQuery({
    queryKey: ['queues'],
    queryFn: ({ signal }) => callApi('listQueues', { signal }),
    refetchInterval: NOW_EVERY_MS,
  });
}

/** The workers that live. */
export function useWorkers() {
  return useQuery({
    queryKey: ['workers'],
    queryFn: ({ signal }) => callApi('listWorkers', { signal }),
    enabled: useIsDone('listWorkers'),
    refetchInterval: NOW_EVERY_MS,
  });
}

/** What is due, and no live worker can run. */
export function useUnserved() {
  return useQuery({
    queryKey: ['unserved'],
    queryFn: ({ signal }) => callApi('listUnserved', { signal }),
    enabled: useIsDone('listUnserved'),
    refetchInterval: NOW_EVERY_MS,
  });
}

/** The alerts that are on, and which are silenced. */
export function useAlerts() {
  return useQuery({
    queryKey: ['alerts'],
    queryFn: ({ signal }) => callApi('listAlerts', { signal }),
    enabled: useIsDone('listAlerts'),
    refetchInterval: ALERTS_EVERY_MS,
  });
}

/** What is wrong with the database; only an administrator is told. */
export function useDoctor() {
  const isDone = useIsDone('reportDoctor');
  return useQuery({
    queryKey: ['doctor'],
    queryFn: ({ signal }) => callApi('reportDoctor', { signal }),
    enabled: useMay('admin') && isDone,
    refetchInterval: DOCTOR_EVERY_MS,
    staleTime: DOCTOR_EVERY_MS,
    retry: false,
  });
}

type FiguresParams = Omit<Operations['listFigures']['params'], 'since'>;

/** The figures of the last `spanMs`, asked for again every `everyMs`. */
export function useFigures(params: FiguresParams, spanMs: number, everyMs: number) {
  return useQuery({
    queryKey: ['figures', params, spanMs],
    queryFn: async ({ signal }) => {
      const now = Date.now();
      const since = new Date(now - spanMs).toISOString();
      const answer = await callApi('listFigures', { params: { ...params, since }, signal });
      return { ...answer, now };
    },
    enabled: useIsDone('listFigures'),
    refetchInterval: everyMs,
    placeholderData: keepPreviousData,
  });
}
