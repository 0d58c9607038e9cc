-- Takes from the roles that are there what they had on the schema, and gives them their rights; it needs the owner of
-- the schema duework.
DO $$
DECLARE
  roles text := (SELECT string_agg(rolname, ', ') FROM pg_roles WHERE rolname IN ('duework_app', 'duework_worker', 'duework_operator', 'duework_reader'));
  owner name := (SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 'duework');
  command text;
BEGIN
  IF roles IS NULL THEN RETURN; END IF;
  IF owner IS NULL THEN
    RAISE invalid_schema_name USING MESSAGE = 'There is no schema duework', HINT = 'Run: npx duework migrate';
  END IF;
  IF NOT pg_has_role(owner, 'USAGE') THEN
    RAISE insufficient_privilege USING
      MESSAGE = format('"%s" may give no rights on the schema duework', current_user),
      HINT = format('The roles are there: run this again as "%s", which owns the schema.', owner);
  END IF;
  EXECUTE 'REVOKE ALL ON SCHEMA duework FROM ' || roles;
  EXECUTE 'REVOKE ALL ON ALL TABLES IN SCHEMA duework FROM ' || roles;
  EXECUTE 'REVOKE ALL ON ALL SEQUENCES IN SCHEMA duework FROM ' || roles;
  EXECUTE 'REVOKE ALL ON ALL FUNCTIONS IN SCHEMA duework FROM ' || roles;
  FOR command IN
    SELECT format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', oid::regprocedure)
    FROM pg_proc WHERE pronamespace = 'duework'::regnamespace AND prosecdef
  LOOP
    EXECUTE command;
  END LOOP;
  FOR command IN
    SELECT format('GRANT %s ON %s TO %I',
      string_agg(privilege || coalesce(' (' || quote_ident(attname) || ')', ''), ', '), object, role)
    FROM ({wanted-rights}) AS wanted
    JOIN pg_roles ON rolname = role
    GROUP BY object, role
  LOOP
    EXECUTE command;
  END LOOP;
END
$$;
