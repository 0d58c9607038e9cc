import type { DirectSession } from '../servers/open-direct.js';

/**
 * The witness of gates: triggers that write down when a run with gates is made, let in, begins, is held again and ends,
 * in the transaction that does it. Every such run is watched, because how many hold a key cannot be told from a sample.
 *
 * When something became true for others is the time of its commit, which PostgreSQL keeps (`track_commit_timestamp`).
 */
async function watchGates(direct: DirectSession): Promise<void> {
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

/** Writes down what becomes of each step, in the transaction that does it. */
async function watchSteps(direct: DirectSession, sampleEvery: number): Promise<void> {
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

/**
 * The witness: triggers that write down every change of status or fence, in the transaction that makes it, with the
 * database's clock. They know nothing of the product but its two tables, and no process can skip or deceive them.
 *
 * @param sampleEvery only runs whose id is a multiple of it are watched
 */
export async function installWitness(direct: DirectSession, sampleEvery: number): Promise<void> {
  await direct.query(`
    CREATE SCHEMA torture;
    -- what the producers and handlers write beside the jobs; no constraint helps the product here
    CREATE TABLE torture.orders (n integer NOT NULL);
    CREATE TABLE torture.payments (n integer NOT NULL, run_id bigint NOT NULL);
    CREATE TABLE torture.bookings (run_id bigint NOT NULL);
    CREATE TABLE torture.signals (n integer PRIMARY KEY, amount integer NOT NULL);
    CREATE TABLE torture.batches (id text NOT NULL);
    CREATE TABLE torture.changes (
      seq bigserial PRIMARY KEY,
      at timestamptz NOT NULL DEFAULT clock_timestamp(),
      tx text NOT NULL DEFAULT pg_current_xact_id()::text,
      run_id bigint NOT NULL,
      place text NOT NULL,
      old_status text, new_status text,
      old_fence bigint, new_fence bigint,
      old_worker text, new_worker text,
      attempts integer
    );
    CREATE INDEX ON torture.changes (at);
    CREATE INDEX ON torture.changes (run_id) WHERE new_status = 'dead';
    CREATE FUNCTION torture.watch_live() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        INSERT INTO torture.changes (run_id, place, new_status, new_fence, new_worker, attempts) VALUES (NEW.id, 'live', NEW.status, NEW.fence, NEW.locked_by, NEW.attempts);
      ELSIF TG_OP = 'UPDATE' THEN
        INSERT INTO torture.changes (run_id, place, old_status, new_status, old_fence, new_fence, old_worker, new_worker, attempts)
        VALUES (NEW.id, 'live', OLD.status, NEW.status, OLD.fence, NEW.fence, OLD.locked_by, NEW.locked_by, NEW.attempts);
      ELSE
        INSERT INTO torture.changes (run_id, place, old_status, old_fence, old_worker, attempts) VALUES (OLD.id, 'live', OLD.status, OLD.fence, OLD.locked_by, OLD.attempts);
      END IF;
      RETURN NULL;
    END $$;
    CREATE FUNCTION torture.watch_final() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        INSERT INTO torture.changes (run_id, place, new_status, new_fence, attempts) VALUES (NEW.id, 'final', NEW.status, NEW.fence, NEW.attempts);
      ELSE
        INSERT INTO torture.changes (run_id, place, old_status, old_fence, attempts) VALUES (OLD.id, 'final', OLD.status, OLD.fence, OLD.attempts);
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER watch_insert AFTER INSERT ON duework.job_runs FOR EACH ROW WHEN (NEW.id % ${sampleEvery} = 0) EXECUTE FUNCTION torture.watch_live();
    CREATE TRIGGER watch_delete AFTER DELETE ON duework.job_runs FOR EACH ROW WHEN (OLD.id % ${sampleEvery} = 0) EXECUTE FUNCTION torture.watch_live();
    CREATE TRIGGER watch_update AFTER UPDATE ON duework.job_runs FOR EACH ROW
      WHEN (NEW.id % ${sampleEvery} = 0 AND (OLD.status <> NEW.status OR OLD.fence <> NEW.fence)) EXECUTE FUNCTION torture.watch_live();
    CREATE TRIGGER watch_insert AFTER INSERT ON duework.job_history FOR EACH ROW WHEN (NEW.id % ${sampleEvery} = 0) EXECUTE FUNCTION torture.watch_final();
    CREATE TRIGGER watch_delete AFTER DELETE ON duework.job_history FOR EACH ROW WHEN (OLD.id % ${sampleEvery} = 0) EXECUTE FUNCTION torture.watch_final();
    ALTER DATABASE postgres SET lock_timeout = '1s';
    ALTER DATABASE postgres SET deadlock_timeout = '100ms';
  `);
  await watchSteps(direct, sampleEvery);
  await watchGates(direct);
}
