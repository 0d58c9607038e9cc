import type { Schemas } from '../../api/api-types.js';
import type { Schedule } from '../../api/use-schedules.js';
import { layOutJson } from '../../json/lay-out-json.js';

export type RuleKind = 'cron' | 'every' | 'at';

/** What somebody edits of a schedule. `texts` keeps what was written for each kind of rule. */
export interface Draft {
  readonly kind: RuleKind;
  readonly texts: Readonly<Record<RuleKind, string>>;
  readonly timeZone: string;
  readonly missed: Schedule['missed']['policy'];
  readonly overlap: Schedule['overlap']['policy'];
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

/** As the API reads it: `15m`, the largest unit that is exact. */
export function printDuration(ms: number): string {
  const [unit, length] = UNITS.find(([, unitMs]) => ms > 0 && ms % unitMs === 0) ?? (['s', 1_000] as const);
  return `${ms / length}${unit}`;
}

export const readDraft = ({ cron, everyMs, at, timeZone, missed, overlap }: Schedule): Draft => ({
  kind: cron !== null ? 'cron' : everyMs !== null ? 'every' : 'at',
  texts: { cron: cron ?? '', every: everyMs === null ? '' : printDuration(everyMs), at: at ?? '' },
  timeZone,
  missed: missed.policy,
  overlap: overlap.policy,
});

/** The rule of a draft, with the bounds that it keeps. */
export const ruleOf = (
  { kind, texts, timeZone }: Draft,
  { startsAt, endsAt }: Pick<Schedule, 'startsAt' | 'endsAt'>,
) => ({
  [kind]: texts[kind].trim(),
  timeZone: timeZone.trim(),
  ...(startsAt === null ? {} : { startsAt }),
  ...(endsAt === null ? {} : { endsAt }),
});

/** The whole schedule, because saving writes all of it: what the draft does not have stays what it is. */
export function toRequest(draft: Draft, schedule: Schedule, payload: unknown): Schemas['NewSchedule'] {
  const { type, missed, overlap, splayMs } = schedule;
  return {
    type,
    payload,
    ...ruleOf(draft, schedule),
    missed: {
      policy: draft.missed,
      tolerance: printDuration(missed.toleranceMs),
      limit: missed.limit,
      maxAge: printDuration(missed.maxAgeMs),
    },
    overlap: { policy: draft.overlap, limit: overlap.limit },
    ...(splayMs === 0 ? {} : { splay: printDuration(splayMs) }),
  };
}

/** Why the payload cannot be written back as it is; null: it can. */
export function findObstacle(payload: string | undefined): 'withheld' | 'redacted' | 'inexact' | null {
  if (payload === undefined) return 'withheld';
  // what the API shows in the place of a sensitive value
  if (payload.includes('"[sensitive]"')) return 'redacted';
  return layOutJson(JSON.stringify(JSON.parse(payload))) === layOutJson(payload) ? null : 'inexact';
}
