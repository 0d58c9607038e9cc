import { rolesSql } from '../migrate/generated/migrations.js';

/** The SQL that makes the roles and gives them their rights, in two statements: two people may have to run them. */
export function printRoles(): string {
  const { create, grant } = rolesSql();
  return `${create}\n${grant}`;
}
