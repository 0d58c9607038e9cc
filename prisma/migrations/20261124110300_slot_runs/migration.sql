-- Which schedule made a job: one entry for each slot that made one.
CREATE INDEX schedule_slots_run_id_idx ON duework.schedule_slots (run_id) WHERE run_id IS NOT NULL;
