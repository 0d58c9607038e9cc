-- Queues and types of which no run is claimed until somebody resumes them, or their end has passed. Every claim looks at this table,
-- so it is kept to the pauses that hold: a resume deletes its row, and so does the maintenance of pauses that have ended.
CREATE TABLE duework.pauses (
  kind    text        NOT NULL,
  name    text        NOT NULL,
  since   timestamptz NOT NULL DEFAULT now(),
  -- null: until somebody resumes it
  until   timestamptz,
  by      text,
  reason  text,
  CONSTRAINT pauses_pkey PRIMARY KEY (kind, name),
  CONSTRAINT pauses_kind_check CHECK (kind IN ('queue', 'type')),
  CONSTRAINT pauses_span_check CHECK (isfinite(since) AND isfinite(until)),
  CONSTRAINT pauses_text_check CHECK (char_length(name) BETWEEN 1 AND 63 AND char_length(by) <= 1000 AND char_length(reason) <= 1000)
-- vacuumed whenever a pause was resumed, so that the table is empty again, and costs claims nothing
) WITH (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0);
COMMENT ON TABLE duework.pauses IS 'Queues and types of which nothing is claimed';

-- Why, by whom and until when a schedule is paused.
ALTER TABLE duework.schedules
  ADD COLUMN paused_at    timestamptz,
  ADD COLUMN paused_until timestamptz,
  ADD COLUMN paused_by    text,
  ADD COLUMN pause_reason text,
  ADD CONSTRAINT schedules_pause_check CHECK (is_paused OR num_nonnulls(paused_at, paused_until, paused_by, pause_reason) = 0);
-- finds the pauses that end, for the tick
CREATE INDEX schedules_pause_end_idx ON duework.schedules (paused_until, id) WHERE is_paused AND paused_until IS NOT NULL;
