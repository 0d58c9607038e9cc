-- What the contract of a dead run names for that (onDead).

-- Enqueues what a contract wants to be told of a dead run, whatever made it dead: in the statement that writes its history.
-- A type that nobody knows any more, or that refuses the payload, is a warning in the log, because a run that cannot be
-- told of is dead all the same.
--
-- The fence makes it once for each death: what is retried and dies again was claimed in between. What is enqueued here
-- tells nobody of its own death, so that no two types can call each other for ever.
CREATE FUNCTION duework.tell_dead() RETURNS trigger
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
AS $$
DECLARE
  told bigint;
BEGIN
  SELECT e.id INTO told
  FROM duework.enqueue(
    NEW.terms ->> 'onDead',
    jsonb_build_object('jobId', duework.outer_id(NEW.id), 'type', NEW.job_type, 'errorCode', NEW.error_code, 'error', NEW.last_error,
      'attempts', NEW.attempts, 'meta', NEW.meta)
    -- sensitive values stay where they are, also encrypted ones; and the limit of a payload, 64 KiB, is for all of this
    || CASE WHEN octet_length(NEW.payload::text) <= 49152 AND NOT NEW.payload ? '$offloaded'
        AND EXISTS (SELECT FROM duework.job_definitions d WHERE d.type = NEW.job_type AND d.sensitive = '{}')
      THEN jsonb_build_object('payload', NEW.payload) ELSE '{}' END,
    idempotency_key => 'dead:' || NEW.id || ':' || NEW.fence
  ) e;
  UPDATE duework.job_runs r SET terms = nullif(r.terms - 'onDead', '{}') WHERE r.id = told AND r.terms ? 'onDead';
  RETURN NULL;
EXCEPTION WHEN data_exception THEN
  RAISE WARNING 'The death of run % could not be told to %: %', NEW.id, NEW.terms ->> 'onDead', SQLERRM;
  RETURN NULL;
END
$$;
-- not where somebody takes back a retry: it died before
CREATE TRIGGER job_history_dead_told AFTER INSERT ON duework.job_history_dead
  FOR EACH ROW WHEN (NEW.terms ? 'onDead' AND NEW.finished_at = now())
  EXECUTE FUNCTION duework.tell_dead();
REVOKE ALL ON FUNCTION duework.tell_dead FROM PUBLIC;
