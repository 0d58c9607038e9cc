-- They run with their owner's rights, and delete from what the application's role may only add to: roles.sql says who calls them.
REVOKE ALL ON FUNCTION duework.retain_audit, duework.retain_bulk_actions, duework.keep_audit FROM PUBLIC;
