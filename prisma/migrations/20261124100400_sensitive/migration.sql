-- What contracts call sensitive, and rights for roles that own nothing.

ALTER TABLE duework.job_definitions
  -- pointers to the sensitive values of payloads of every version that can be read, and of results: whoever shows payloads without the
  -- program that defines them hides these
  ADD COLUMN sensitive text[] NOT NULL DEFAULT '{}',
  ADD COLUMN sensitive_result text[] NOT NULL DEFAULT '{}',
  -- a payload that is not encrypted is refused
  ADD COLUMN requires_encryption boolean NOT NULL DEFAULT false;

-- As before; and refuses to store in plain text what its contract wants encrypted.
CREATE OR REPLACE FUNCTION duework.check_payload(type text, payload jsonb, schema jsonb) RETURNS void
LANGUAGE plpgsql
STABLE
AS $$
DECLARE
  max_bytes CONSTANT integer := 65536;
  content   text := payload::text;
  bytes     integer := octet_length(content);
  validator name;
  is_valid  boolean := true;
BEGIN
  -- guard: sql-plain-refused
  IF EXISTS (SELECT FROM duework.job_definitions d WHERE d.type = check_payload.type AND d.requires_encryption) THEN
    RAISE EXCEPTION 'A % requires encryption, and SQL has no keys.', type
      USING ERRCODE = '22W08', DETAIL = 'key_ring_missing', HINT = 'Enqueue it in TypeScript, in a process that has a key ring.';
  END IF;
  -- guard end: sql-plain-refused
  -- jsonb writes a blank behind each comma and colon, which the limit does not count: less than half of its text
  IF bytes BETWEEN max_bytes + 1 AND 2 * max_bytes THEN
    content := regexp_replace(content, E'"([^"\\\\]|\\\\.)*"', '', 'g');
    bytes := bytes - (length(content) - length(replace(content, ' ', '')));
  END IF;
  IF bytes > max_bytes THEN
    RAISE EXCEPTION 'The payload of % is % bytes; the limit is %.', type, bytes, max_bytes
      USING ERRCODE = '22W03', DETAIL = 'payload_too_large', HINT = 'Store the content elsewhere and enqueue a reference.';
  END IF;
  -- a level takes two characters
  IF bytes > 200 AND jsonb_path_exists(payload, 'strict $.**{100} ? (@.type() == "object" || @.type() == "array")') THEN
    RAISE EXCEPTION 'The payload of % is nested more than 100 levels deep.', type
      USING ERRCODE = '22W04', DETAIL = 'payload_not_storable';
  END IF;
  IF strpos(payload::text, '"__proto__":') > 0 AND jsonb_path_exists(payload, '$.**."__proto__"') THEN
    RAISE EXCEPTION 'The payload of % has a key "__proto__", which would be lost.', type
      USING ERRCODE = '22W04', DETAIL = 'payload_not_storable';
  END IF;
  SELECT n.nspname INTO validator FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_jsonschema';
  IF validator IS NULL OR schema IS NULL THEN RETURN; END IF;
  BEGIN
    EXECUTE format('SELECT %I.jsonb_matches_schema($1, $2)', validator) INTO is_valid USING schema::json, payload;
  EXCEPTION WHEN OTHERS THEN
    -- the worker parses it anyway: a check that cannot be made must not undo the caller's work
    RAISE WARNING 'The payload of % could not be checked: %', type, SQLERRM;
  END;
  IF NOT is_valid THEN
    RAISE EXCEPTION 'The payload of % does not fit the JSON Schema of its contract.', type
      USING ERRCODE = '22W02', DETAIL = 'invalid_payload',
        HINT = format('The schema is payload_schema in duework.job_definitions; %I.jsonschema_validation_errors says what is wrong.', validator);
  END IF;
END
$$;

-- Gives every daily partition the rights that were granted on the table that it is part of: some statements name a partition.
CREATE FUNCTION duework.share_rights() RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
  given text;
BEGIN
  FOR given IN
    SELECT format('GRANT %s%s ON duework.%I TO %s', held.privilege, coalesce(' (' || quote_ident(held.col) || ')', ''), part.relname,
      CASE held.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(held.grantee)) END)
    FROM pg_inherits i
    JOIN pg_class part ON part.oid = i.inhrelid
    JOIN pg_class parent ON parent.oid = i.inhparent
    CROSS JOIN LATERAL (
      SELECT a.privilege_type AS privilege, NULL::name AS col, a.grantee FROM aclexplode(parent.relacl) a
      UNION ALL
      SELECT a.privilege_type, t.attname, a.grantee
      FROM pg_attribute t CROSS JOIN LATERAL aclexplode(t.attacl) a
      WHERE t.attrelid = parent.oid AND NOT t.attisdropped
    ) held
    WHERE i.inhparent IN ('duework.job_history_days'::regclass, 'duework.job_attempts_days'::regclass)
      AND held.grantee <> parent.relowner
      AND part.relname ~ '_[0-9]{8}$'
      AND part.relacl IS NULL
  LOOP
    EXECUTE given;
  END LOOP;
END
$$;

-- A worker makes and drops daily partitions, which takes their owner's rights: it gets these two functions in place of the tables.
ALTER FUNCTION duework.ensure_partitions(integer, integer) RENAME TO make_partitions;

CREATE FUNCTION duework.ensure_partitions(days_ahead integer, days_back integer DEFAULT 0) RETURNS integer
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  made integer := duework.make_partitions(days_ahead, days_back);
BEGIN
  IF made > 0 THEN PERFORM duework.share_rights(); END IF;
  RETURN made;
END
$$;

ALTER FUNCTION duework.retain(integer, integer) SECURITY DEFINER SET search_path = pg_catalog, pg_temp;

REVOKE ALL ON FUNCTION duework.make_partitions, duework.ensure_partitions, duework.retain, duework.share_rights FROM PUBLIC;
