import type { DirectSession } from '../servers/open-direct.js';

/**
 * The witness of gates: triggers that write down when a run with gates is made, let in, begins, is held again and ends,
 * in the transaction that does it. Every such run is watched, because how many hold a key cannot be told from a sample.
 *
 * When something became true for others is the time of its commit, which PostgreSQL keeps (`track_commit_timestamp`).
 */
export async function watchGates(direct: DirectSession): Promise<void> {
  await direct.query(`
    CREATE TABLE torture.gated (
      seq bigserial PRIMARY KEY,
      tx xid8 NOT NULL DEFAULT pg_current_xact_id(),
      began_at timestamptz NOT NULL DEFAULT now(),
      run_id bigint NOT NULL,
      old_status text, old_held text,
      new_status text, new_held text,
      run_at timestamptz,
      -- of a row that is new
      gates text[], units integer[]
    );
    CREATE FUNCTION torture.watch_gates() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        INSERT INTO torture.gated (run_id, new_status, new_held, run_at, gates, units)
        VALUES (NEW.id, NEW.status, NEW.held_by, NEW.run_at, NEW.gates, NEW.gate_units);
      ELSIF TG_OP = 'UPDATE' THEN
        INSERT INTO torture.gated (run_id, old_status, old_held, new_status, new_held, run_at)
        VALUES (NEW.id, OLD.status, OLD.held_by, NEW.status, NEW.held_by, NEW.run_at);
      ELSE
        INSERT INTO torture.gated (run_id, old_status, old_held) VALUES (OLD.id, OLD.status, OLD.held_by);
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER watch_gates_insert AFTER INSERT ON duework.job_runs FOR EACH ROW WHEN (NEW.gates IS NOT NULL) EXECUTE FUNCTION torture.watch_gates();
    CREATE TRIGGER watch_gates_delete AFTER DELETE ON duework.job_runs FOR EACH ROW WHEN (OLD.gates IS NOT NULL) EXECUTE FUNCTION torture.watch_gates();
    CREATE TRIGGER watch_gates_update AFTER UPDATE ON duework.job_runs FOR EACH ROW
      WHEN (NEW.gates IS NOT NULL
        AND (OLD.status <> NEW.status OR OLD.held_by IS DISTINCT FROM NEW.held_by OR OLD.run_at <> NEW.run_at))
      EXECUTE FUNCTION torture.watch_gates();
  `);
}
