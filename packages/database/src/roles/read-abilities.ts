import type { DueworkRole } from './duework-roles.js';
import type pg from 'pg';
import { letMigrate, readPlace, roleNotFound, type RolePlace } from './read-place.js';
import { rolesSql } from '../migrate/generated/migrations.js';
import { ABILITIES, type Ability } from './abilities.js';

export interface RoleAbility {
  readonly ability: Ability;
  readonly isAllowed: boolean;
  /** What it lacks, as the end of a sentence; null: nothing. */
  readonly lacks: string | null;
  /** What to do about it, as a sentence; null: nothing. */
  readonly fix: string | null;
}

export interface RoleAbilities {
  readonly role: string;
  readonly abilities: readonly RoleAbility[];
}

interface Row {
  readonly role: DueworkRole;
  readonly lacking: string;
  readonly first: string | null;
  readonly is_member: boolean;
}

const rightsOf = (): string => `
  SELECT w.role, count(*) FILTER (WHERE NOT has) AS lacking,
    min(privilege || ' on ' || object) FILTER (WHERE NOT has) AS first,
    coalesce(pg_has_role($1::name, r.oid, 'USAGE'), false) AS is_member
  FROM (
    SELECT *, CASE
      WHEN kind = 'schema' THEN has_schema_privilege($1::name, oid, privilege)
      WHEN kind = 'function' THEN has_function_privilege($1::name, oid, privilege)
      WHEN attname IS NULL THEN has_table_privilege($1::name, oid, privilege)
      ELSE has_column_privilege($1::name, oid, attname::text, privilege)
    END AS has
    FROM (${rolesSql().wanted}) AS wanted
  ) AS w
  LEFT JOIN pg_roles r ON r.rolname = w.role
  GROUP BY w.role, r.oid`;

/**
 * Asks the database what a role may do, the current one unless it is named.
 *
 * @throws DatabaseError `role_not_found`
 */
export async function readAbilities(client: pg.Client, named: string | undefined): Promise<RoleAbilities> {
  const place = await readPlace(client, named);
  if (place === null) throw roleNotFound(String(named));
  const { role, owner } = place;
  const rows = owner === null ? [] : (await client.query<Row>(rightsOf(), [role])).rows;
  const abilities = Object.entries(ABILITIES).map(([name, of]): RoleAbility => {
    const ability = name as Ability;
    if (of === null) return judge(ability, place.may_migrate ? null : migrating(place));
    if (owner === null) return judge(ability, ['there is no schema duework', 'Run: npx duework migrate']);
    const row = rows.find((one) => one.role === of)!;
    return judge(ability, row.first === null ? null : lacking(row, role));
  });
  return { role, abilities };
}

const judge = (ability: Ability, wrong: readonly [string, string] | null): RoleAbility => ({
  ability,
  isAllowed: wrong === null,
  lacks: wrong?.[0] ?? null,
  fix: wrong?.[1] ?? null,
});

const lacking = ({ role, lacking, first, is_member }: Row, who: string): readonly [string, string] => [
  `it lacks ${first}${lacking === '1' ? '' : ` and ${Number(lacking) - 1} more rights`}`,
  is_member
    ? `${role} has not all of its rights here. As the owner of the schema run: npx duework roles --apply`
    : `As an administrator run: npx duework roles --grant ${role} --to ${who}`,
];

const migrating = (place: RolePlace): readonly [string, string] => [
  place.owner === null ? 'it lacks CREATE on the database' : `"${place.owner}" owns the schema duework`,
  letMigrate(place),
];
