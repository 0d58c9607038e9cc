import type { DirectSession } from '../servers/open-direct.js';

/** Writes down what becomes of each step, in the transaction that does it. */
export async function watchSteps(direct: DirectSession, sampleEvery: number): Promise<void> {
  await direct.query(`
    CREATE TABLE torture.steps (
      seq bigserial PRIMARY KEY,
      run_id bigint NOT NULL,
      name text NOT NULL,
      old_status text, new_status text,
      result jsonb,
      has_changed boolean NOT NULL
    );
    CREATE FUNCTION torture.watch_steps() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        INSERT INTO torture.steps (run_id, name, new_status, result, has_changed) VALUES (NEW.run_id, NEW.name, NEW.status, NEW.result, true);
      ELSE
        INSERT INTO torture.steps (run_id, name, old_status, new_status, result, has_changed)
        VALUES (NEW.run_id, NEW.name, OLD.status, NEW.status, NEW.result, OLD.result IS DISTINCT FROM NEW.result);
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER watch_steps_insert AFTER INSERT ON duework.job_steps FOR EACH ROW WHEN (NEW.run_id % ${sampleEvery} = 0)
      EXECUTE FUNCTION torture.watch_steps();
    CREATE TRIGGER watch_steps_update AFTER UPDATE OF status, result, error, done_seq ON duework.job_steps FOR EACH ROW
      WHEN (NEW.run_id % ${sampleEvery} = 0) EXECUTE FUNCTION torture.watch_steps();
  `);
}
