/**
 * The SQL that makes the roles and gives them their rights, in two statements, because two people may have to run them:
 * roles are made by somebody with CREATEROLE, rights are given by the owner of the schema. Each can be repeated.
 */
import { DUEWORK_ROLES, WANTED_RIGHTS } from './wanted-rights.js';

const names = DUEWORK_ROLES.map((role) => `'${role}'`).join(', ');

/** Makes the roles that are not there. */
export const CREATE_ROLES = `DO $$
DECLARE
  role text;
BEGIN
  FOREACH role IN ARRAY ARRAY[${names}] LOOP
    CONTINUE WHEN EXISTS (SELECT FROM pg_roles WHERE rolname = role);
    BEGIN
      EXECUTE format('CREATE ROLE %I NOLOGIN', role);
    EXCEPTION
      WHEN duplicate_object OR unique_violation THEN NULL;  -- made meanwhile, for another database of the server
      WHEN insufficient_privilege THEN
        RAISE insufficient_privilege USING
          MESSAGE = format('"%s" lacks CREATEROLE, and there is no role %s', current_user, role),
          HINT = 'Let an administrator run: ${DUEWORK_ROLES.map((role) => `CREATE ROLE ${role};`).join(' ')} Then run this again as the owner of the schema duework.';
    END;
  END LOOP;
END
$$`;

/** Takes from the roles that are there what they had on the schema, and gives them their rights. None: nothing. */
export const GRANT_RIGHTS = `DO $$
DECLARE
  roles text := (SELECT string_agg(rolname, ', ') FROM pg_roles WHERE rolname IN (${names}));
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
    FROM (${WANTED_RIGHTS}) AS wanted
    JOIN pg_roles ON rolname = role
    GROUP BY object, role
  LOOP
    EXECUTE command;
  END LOOP;
END
$$`;

/** Both, for whoever reads them first, or runs them with psql. */
export const ROLES_SQL = `-- Roles that own nothing, for programs and people; docs/how-to/roles.md says who may do what.
-- The first statement needs CREATEROLE where a role is not there, the second the owner of the schema duework.

${CREATE_ROLES};

${GRANT_RIGHTS};
`;
