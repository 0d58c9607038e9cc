import type { Json } from '@duework/queue-core';
import type { MissedPolicy, OverlapPolicy } from '../due-times/decide-due-times.js';
import { sql, type Sql } from '@duework/sql';

/** One row of `schedules`, times as milliseconds since 1970. */
export interface ScheduleRow {
  readonly id: string;
  readonly key: string;
  readonly type: string;
  /** Of the contract that the payload was saved for. */
  readonly version: number;
  readonly payload: Json;
  readonly cron: string | null;
  readonly everyMs: number | null;
  readonly atMs: number | null;
  readonly timeZone: string;
  readonly startsAtMs: number | null;
  readonly endsAtMs: number | null;
  readonly missed: MissedPolicy;
  readonly overlap: OverlapPolicy;
  readonly splayMs: number;
  readonly splayOffsetMs: number;
  readonly isPaused: boolean;
  readonly pause: { since: number; until: number | null; by: string | null; reason: string | null } | null;
  readonly source: 'code' | 'api';
  readonly sourceProgram: string | null;
  readonly sourceVersion: number | null;
  readonly nextDueMs: number | null;
  readonly lastRunId: string | null;
  readonly runIds: readonly string[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** The SELECT list of one row of `s`, as JSON. */
export const scheduleAsJson: Sql = sql`json_build_object(
    'id', s.id::text, 'key', s.key, 'type', s.job_type, 'version', s.job_version, 'payload', s.payload, 'cron', s.cron, 'everyMs', s.every_ms,
    'atMs', extract(epoch FROM s.at) * 1000, 'timeZone', s.time_zone,
    'startsAtMs', extract(epoch FROM s.starts_at) * 1000, 'endsAtMs', extract(epoch FROM s.ends_at) * 1000,
    'missed', json_build_object('policy', s.missed, 'toleranceMs', s.missed_tolerance_ms, 'limit', s.missed_limit, 'maxAgeMs', s.missed_max_age_ms),
    'overlap', json_build_object('policy', s.overlap, 'limit', s.overlap_limit),
    'splayMs', s.splay_ms, 'splayOffsetMs', s.splay_offset_ms, 'isPaused', s.is_paused,
    'pause', CASE WHEN s.is_paused THEN json_build_object(
      'since', extract(epoch FROM coalesce(s.paused_at, s.updated_at)) * 1000, 'until', extract(epoch FROM s.paused_until) * 1000,
      'by', s.paused_by, 'reason', s.pause_reason
    ) END, 'source', s.source,
    'sourceProgram', s.source_program, 'sourceVersion', s.source_version, 'nextDueMs', extract(epoch FROM s.next_due_at) * 1000,
    'lastRunId', s.last_run_id::text, 'runIds', s.run_ids::text[],
    'createdAtMs', extract(epoch FROM s.created_at) * 1000, 'updatedAtMs', extract(epoch FROM s.updated_at) * 1000
  )`;
