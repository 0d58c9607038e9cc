-- A line for each day, beside those of the minutes and of the hours; and in all three a line for all queues and types together, of queue ''
-- and type '*'. So 90 days are read from 90 lines of each type, and what all did together from one line a step, however many types there are.
CREATE TABLE duework.figures_days (LIKE duework.figures_hours INCLUDING DEFAULTS,
  CONSTRAINT figures_days_pkey PRIMARY KEY (at, queue, job_type)
) WITH (fillfactor = 60);
COMMENT ON TABLE duework.figures_days IS 'Work by queue and type, day by day in UTC, for 90 days';

-- What was counted before. The most that was due in all at one moment of an hour is not known: it is told as what the types had at most.
CREATE AGGREGATE duework.sum_counts (bigint[]) (SFUNC = duework.add_counts, STYPE = bigint[], INITCOND = '{}');
INSERT INTO duework.figures_days
SELECT date_trunc('day', at, 'UTC'), queue, job_type, sum(claimed), sum(succeeded), sum(failed), sum(dead), sum(cancelled), sum(snoozed),
  duework.sum_counts(waited), duework.sum_counts(ran), sum(waited_ms), sum(ran_ms), max(due), max(running), max(oldest_seconds)
FROM duework.figures_hours GROUP BY 1, 2, 3;
DO $$
DECLARE
  unit text;
BEGIN
  FOREACH unit IN ARRAY ARRAY['minutes', 'hours', 'days'] LOOP
    EXECUTE format('
      INSERT INTO duework.figures_%1$s
      SELECT at, '''', ''*'', sum(claimed), sum(succeeded), sum(failed), sum(dead), sum(cancelled), sum(snoozed),
        duework.sum_counts(waited), duework.sum_counts(ran), sum(waited_ms), sum(ran_ms), sum(due), sum(running), max(oldest_seconds)
      FROM duework.figures_%1$s GROUP BY at', unit);
  END LOOP;
END
$$;
DROP AGGREGATE duework.sum_counts (bigint[]);
