import { z } from '@hono/zod-openapi';
import {
  MISSED_POLICIES,
  OVERLAP_POLICIES,
  type ResumedSchedule,
  type Schedule,
  type DueTime,
} from '@duework/schedules';
import { idOf } from '../openapi/mark-ids.js';

const time = z.iso.datetime().openapi({ example: '2026-01-31T09:00:00.000Z' });
const text = z.string().nullable();

/** A schedule as queue-core returns it; `Date`s become ISO 8601 in UTC when they are written as JSON. */
export const schedule = z
  .object({
    key: z.string(),
    type: z.string(),
    version: z.int().describe('Of the contract that the payload was saved for.'),
    payload: z.unknown().optional().describe('With {"$due": …} where the due time fills it in.'),
    cron: text,
    everyMs: z.int().nullable(),
    at: time.nullable(),
    timeZone: z.string().openapi({ example: 'Europe/Berlin' }),
    startsAt: time.nullable(),
    endsAt: time.nullable(),
    words: z
      .string()
      .describe('The rule in plain words.')
      .openapi({ example: 'At 09:00, only on Monday, in Europe/Berlin' }),
    policy: z.string().describe('Its policies in plain words.'),
    missed: z.object({ policy: z.enum(MISSED_POLICIES), toleranceMs: z.int(), limit: z.int(), maxAgeMs: z.int() }),
    overlap: z.object({ policy: z.enum(OVERLAP_POLICIES), limit: z.int() }),
    splayMs: z.int(),
    isPaused: z.boolean(),
    pause: z
      .object({ since: time, until: time.nullable(), by: text, reason: text })
      .nullable()
      .describe('Since when, until when (null: until somebody resumes it), by whom and why; null: it is not paused.'),
    source: z.enum(['code', 'api']).describe('`code`: declared by a program, and written anew at its deploy.'),
    sourceProgram: text.describe('The program whose code declares it; null: no program does.'),
    sourceVersion: z.int().nullable(),
    nextDueAt: time.nullable().describe('null: there will be none.'),
    nextFiresAt: time.nullable().describe('With its splay.'),
    lastRunId: text.openapi(idOf('job')),
    createdAt: time,
    updatedAt: time,
  } satisfies Record<keyof Schedule, z.ZodType>)
  .openapi('Schedule');

/** A schedule that goes on. */
export const resumedSchedule = schedule
  .extend({
    meanwhile: z
      .object({
        skipCount: z.int().describe('How many are skipped, by its policy.'),
        skips: z.array(time).describe('The newest 10 of them, the newest first.'),
        fireCount: z.int().describe('How many run now, or as soon as a run before them has ended.'),
        nextDueAt: time.nullable().describe('The first that is still to come.'),
      } satisfies Record<keyof ResumedSchedule['meanwhile'], z.ZodType>)
      .describe('What becomes of the due times that came while it was paused.'),
  })
  .openapi('ResumedSchedule');

/** One line of the ledger. */
const dueTime = z
  .object({
    scheduleKey: z.string(),
    type: z.string(),
    dueAt: time,
    outcome: z.enum(['fired', 'skipped', 'waiting']),
    reason: text.describe(
      'Why it was skipped; `triggered`: a person let it run, as a due time of its own or as one that was skipped.',
    ),
    runId: text.openapi(idOf('job')),
    runStatus: text.describe('What became of the run; null: there is none, or its history is gone.'),
    firesAt: time,
    decidedAt: time,
    lateMs: z.int().describe('From due to decided.'),
    pause: z
      .object({ since: time, by: text, reason: text })
      .nullable()
      .describe('The pause that it was missed for; null: none, or the audit of it is gone.'),
  } satisfies Record<keyof DueTime, z.ZodType>)
  .openapi('DueTime');

/** A schedule of a list, with its newest due times where they were asked for. */
const listedSchedule = schedule
  .extend({ dueTimes: z.array(dueTime).optional().describe('The newest first, as many as were asked for.') })
  .openapi('ListedSchedule');

export const schedulePage = z
  .object({ schedules: z.array(listedSchedule), nextCursor: text.describe('null: this was the last page.') })
  .openapi('SchedulePage');

export const dueTimePage = z
  .object({ dueTimes: z.array(dueTime), nextCursor: text.describe('null: this was the last page.') })
  .openapi('DueTimePage');

const previewParts = z.object({
  words: z.string(),
  timeZone: z.string(),
  dueTimes: z.array(
    z.object({
      dueAt: time,
      local: z.string().openapi({ example: '2026-03-29T03:00:00+02:00' }),
      firesAt: time,
      dst: z.enum(['moved', 'runs_once', 'repeated']).nullable().describe('What a change of the clock does to it.'),
    }),
  ),
});

export const preview = previewParts.openapi('RulePreview');

export const savedPreview = previewParts
  .extend({ policy: z.string().describe('The policies in plain words.') })
  .openapi('SchedulePreview');
