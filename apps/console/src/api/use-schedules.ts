import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { readMembers } from '../json/read-members.js';
import { ApiError } from './api-error.js';
import type { Schemas } from './api-types.js';
import { callApi, callForText } from './call-api.js';

export type Schedule = Schemas['Schedule'];
/** A schedule of a list, with its last due times. */
export type ListedSchedule = Schemas['ListedSchedule'];
export type DueTime = Schemas['DueTime'];
export type PreviewedDueTime = Schemas['RulePreview']['dueTimes'][number];

const EVERY_MS = 5_000;
const NEXT_EVERY_MS = 60_000;
const PAGE_SIZE = 100;
/** The due times of each schedule of a page. */
const STRIP = 12;
const LEDGER_SIZE = 60;
const EXPECTED = 200;
/** Enough to see the next change of the clock of a daily schedule. */
const AHEAD = 400;
const refetchInterval = ({ state }: { state: { error: unknown } }): number | false =>
  state.error === null ? EVERY_MS : false;

/** One page of the schedules, by key, each with its last due times. */
export function useSchedulePage(paused: boolean | undefined, cursor: string | undefined) {
  return useQuery({
    queryKey: ['schedules', 'page', paused ?? null, cursor ?? null],
    queryFn: ({ signal }) =>
      callApi('listSchedules', { params: { paused, cursor, limit: PAGE_SIZE, dueTimes: STRIP }, signal }),
    refetchInterval,
    placeholderData: keepPreviousData,
  });
}

/** The newest lines of the ledger of a schedule. */
export function useLedger(key: string) {
  return useQuery({
    queryKey: ['dueTimes', key],
    queryFn: ({ signal }) => callApi('listDueTimes', { params: { schedule: key, limit: LEDGER_SIZE }, signal }),
    refetchInterval,
  });
}

/** A schedule, and its payload as the API wrote it; undefined: it is withheld. */
export function useSchedule(key: string) {
  return useQuery({
    queryKey: ['schedule', key],
    queryFn: async ({ signal }) => readSchedule(await callForText('getSchedule', { params: { key }, signal })),
    refetchInterval,
  });
}

export function readSchedule(text: string) {
  return { schedule: JSON.parse(text) as Schedule, payload: readMembers(text).get('payload') };
}

/**
 * The due times that come; none where the rule has none any more. Those that have passed since they were read are among
 * them.
 */
export function useNextDueTimes({ key, updatedAt }: Schedule) {
  return useQuery({
    queryKey: ['schedule-preview', key, updatedAt],
    queryFn: ({ signal }) =>
      orNone(async () => (await callApi('previewSavedSchedule', { params: { key, count: AHEAD }, signal })).dueTimes),
    refetchInterval: NEXT_EVERY_MS,
    placeholderData: keepPreviousData,
  });
}

/** The due times that its rule has after a moment: what the ledger is held against. null: nothing is asked. */
export function useExpectedDueTimes(schedule: Schedule, after: string | null) {
  const rule = toRule(schedule);
  return useQuery({
    queryKey: ['expected-due-times', rule, after],
    queryFn: ({ signal }) =>
      orNone(
        async () =>
          (await callApi('previewSchedule', { body: { ...rule, after: after!, count: EXPECTED }, signal })).dueTimes,
      ),
    enabled: after !== null,
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  });
}

/** Its rule as a request has it. */
export const toRule = ({ cron, everyMs, at, timeZone, startsAt, endsAt }: Schedule) => ({
  ...(cron !== null ? { cron } : everyMs !== null ? { every: `${everyMs}ms` } : { at: at! }),
  timeZone,
  ...(startsAt === null ? {} : { startsAt }),
  ...(endsAt === null ? {} : { endsAt }),
});

async function orNone(read: () => Promise<readonly PreviewedDueTime[]>): Promise<readonly PreviewedDueTime[]> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ApiError && error.code === 'rule_never_fires') return [];
    throw error;
  }
}
