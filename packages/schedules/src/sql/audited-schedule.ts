import { isoText, sql, type Sql } from '@duework/sql';

/**
 * What the audit keeps of a schedule `s`, as jsonb: everything that an operator sets but the payload, of which it keeps
 * the names of the fields.
 */
export const auditedSchedule = (s: Sql): Sql => sql`jsonb_strip_nulls(jsonb_build_object(
      'type', ${s}.job_type, 'version', ${s}.job_version, 'cron', ${s}.cron, 'everyMs', ${s}.every_ms, 'at', ${isoText(sql`${s}.at`)},
      'timeZone', ${s}.time_zone, 'startsAt', ${isoText(sql`${s}.starts_at`)}, 'endsAt', ${isoText(sql`${s}.ends_at`)},
      'missed', ${s}.missed, 'missedToleranceMs', ${s}.missed_tolerance_ms, 'missedLimit', ${s}.missed_limit,
      'missedMaxAgeMs', ${s}.missed_max_age_ms, 'overlap', ${s}.overlap, 'overlapLimit', ${s}.overlap_limit,
      'splayMs', ${s}.splay_ms, 'isPaused', ${s}.is_paused, 'source', ${s}.source,
      'sourceProgram', ${s}.source_program, 'sourceVersion', ${s}.source_version,
      'payloadFields', CASE jsonb_typeof(${s}.payload) WHEN 'object' THEN (
        SELECT jsonb_agg(k ORDER BY k) FROM jsonb_object_keys(CASE jsonb_typeof(${s}.payload) WHEN 'object' THEN ${s}.payload END) AS k
      ) END
    ))`;
