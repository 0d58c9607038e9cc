import type { Duration } from '@duework/contracts';
import { z } from '@hono/zod-openapi';
import { MISSED_POLICIES, OVERLAP_POLICIES, type RuleInput, type ScheduleOptions } from '@duework/schedules';

const time = z.iso.datetime({ offset: true, error: 'Not an ISO 8601 time with a zone, such as 2026-01-31T09:00:00Z' });
const duration = z.string().max(32).openapi({ example: '15m' });
const limit = z.int().min(1).max(1_000);

const ruleParts = {
  cron: z
    .string()
    .max(200)
    .optional()
    .describe('Five fields, six with seconds before them, or @hourly, @daily, @weekly, @monthly, @yearly.')
    .openapi({ example: '0 9 * * 1' }),
  every: duration.optional().describe('An interval of at least 1s.'),
  at: time.optional().describe('Once, at this moment.'),
  timeZone: z
    .string()
    .max(64)
    .optional()
    .describe('An IANA zone; UTC unless given.')
    .openapi({ example: 'Europe/Berlin' }),
  startsAt: time.optional().describe('No due time before it.'),
  endsAt: time.optional().describe('No due time at or after it.'),
};

/** Exactly one of `cron`, `every` and `at`, which only the queue checks. */
export const newRule = z
  .strictObject({
    ...ruleParts,
    count: z.int().min(1).max(1_000).default(5),
    after: time.optional().describe('Now unless given.'),
  })
  .openapi('NewPreview');

/** The body that makes or edits a schedule. */
export const newSchedule = z
  .strictObject({
    type: z.string().min(1).max(63),
    payload: z
      .unknown()
      .optional()
      .describe(
        '{"$due": "date", "addDays": -1} and {"$due": "iso"} are filled in from the due time. That of the type unless given.',
      ),
    ...ruleParts,
    missed: z
      .union([
        z.enum(MISSED_POLICIES),
        z.strictObject({
          policy: z.enum(MISSED_POLICIES),
          tolerance: duration.optional(),
          limit: limit.optional(),
          maxAge: duration.optional(),
        }),
      ])
      .optional()
      .describe('What becomes of due times that nobody ticked in time; latest unless given.'),
    overlap: z
      .union([z.enum(OVERLAP_POLICIES), z.strictObject({ policy: z.enum(OVERLAP_POLICIES), limit: limit.optional() })])
      .optional()
      .describe('What becomes of a due time while a run of the schedule is live; skip unless given.'),
    splay: duration.optional().describe('Spreads schedules of one moment over this long.'),
  })
  .openapi('NewSchedule');

type Given = z.output<typeof newRule> | z.output<typeof newSchedule>;

/** The rule of a schedule in a body. */
export function toRule({
  cron,
  every,
  at,
  timeZone,
  startsAt,
  endsAt,
}: Pick<Given, keyof typeof ruleParts>): RuleInput {
  const given = {
    ...(cron === undefined ? {} : { cron }),
    ...(every === undefined ? {} : { every: every as Duration }),
    ...(at === undefined ? {} : { at: new Date(at) }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(startsAt === undefined ? {} : { startsAt: new Date(startsAt) }),
    ...(endsAt === undefined ? {} : { endsAt: new Date(endsAt) }),
  };
  return given as RuleInput;
}

export function toScheduleOptions(key: string, body: z.output<typeof newSchedule>): ScheduleOptions {
  const { payload, missed, overlap, splay } = body;
  const given = {
    ...toRule(body),
    key,
    payload,
    ...(missed === undefined ? {} : { missed }),
    ...(overlap === undefined ? {} : { overlap }),
    ...(splay === undefined ? {} : { splay }),
  };
  return given as ScheduleOptions;
}
