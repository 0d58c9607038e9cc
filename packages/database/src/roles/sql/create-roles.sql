-- Makes the roles that are not there. It needs CREATEROLE then.
DO $$
DECLARE
  role text;
BEGIN
  FOREACH role IN ARRAY ARRAY['duework_app', 'duework_worker', 'duework_operator', 'duework_reader'] LOOP
    CONTINUE WHEN EXISTS (SELECT FROM pg_roles WHERE rolname = role);
    BEGIN
      EXECUTE format('CREATE ROLE %I NOLOGIN', role);
    EXCEPTION
      WHEN duplicate_object OR unique_violation THEN NULL;  -- made meanwhile, for another database of the server
      WHEN insufficient_privilege THEN
        RAISE insufficient_privilege USING
          MESSAGE = format('"%s" lacks CREATEROLE, and there is no role %s', current_user, role),
          HINT = 'Let an administrator run: CREATE ROLE duework_app; CREATE ROLE duework_worker; CREATE ROLE duework_operator; CREATE ROLE duework_reader; Then run this again as the owner of the schema duework.';
    END;
  END LOOP;
END
$$;
