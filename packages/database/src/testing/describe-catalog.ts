import type pg from 'pg';
import { withServer } from './with-server.js';

/** What the schema has, without daily partitions and who owns it: equal for databases that were made in different ways. */
const inside = [
  `SELECT c.oid::regclass || ' ' || a.attnum || ' ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull
     || ' ' || a.attidentity::text || coalesce(' ' || pg_get_expr(d.adbin, d.adrelid), '')
   FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
   WHERE a.attnum > 0 AND OURS`,
  `SELECT c.oid::regclass || ' ' || c.relkind::text || coalesce(' ' || c.reloptions::text, '') || coalesce(' ' || pg_get_partkeydef(c.oid), '')
     || coalesce(' ' || pg_get_expr(c.relpartbound, c.oid), '') || CASE WHEN c.relkind = 'v' THEN pg_get_viewdef(c.oid) ELSE '' END
   FROM pg_class c WHERE OURS`,
  `SELECT c.oid::regclass || ' ' || k.conname || ' ' || pg_get_constraintdef(k.oid) FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE OURS`,
  `SELECT pg_get_indexdef(i.indexrelid) || ' ' || i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE OURS`,
  `SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal AND OURS`,
  // the roles of `duework roles` are the server's, and other tests make them: what everybody may call is told
  `SELECT pg_get_functiondef(p.oid) || ' ' || EXISTS (
     SELECT FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) AS a WHERE a.grantee = 0
   ) FROM pg_proc p WHERE p.pronamespace = 'duework'::regnamespace AND p.prokind IN ('f', 'p')`,
  `SELECT d.objoid::regclass || ' ' || d.objsubid || ' ' || d.description
   FROM pg_description d JOIN pg_class c ON c.oid = d.objoid AND d.classoid = 'pg_class'::regclass WHERE OURS`,
].map((sql) => sql.replaceAll('OURS', `(c.relnamespace = 'duework'::regnamespace AND c.relname !~ '_[0-9]{8}(_|$)')`));

/** Every row of the catalogs that is not about the schema duework, as it is stored, and the rows of every table. */
const outside = [
  `SELECT 'schema ' || n.oid || n::text FROM pg_namespace n WHERE nspname <> 'duework' AND nspname !~ '^pg_(toast_)?temp'`,
  // figures that VACUUM and ANALYZE write are left out
  `SELECT concat_ws(' ', 'class', c.oid, c.relname, c.relowner, c.relacl, c.reloptions, c.relfilenode, c.reltoastrelid, c.relkind, c.relhasindex, c.relhastriggers, c.relchecks)
   FROM pg_class c WHERE THEIRS`,
  `SELECT 'attribute ' || a::text FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid WHERE THEIRS`,
  `SELECT 'constraint ' || k.oid || k::text FROM pg_constraint k WHERE k.connamespace IS DISTINCT FROM to_regnamespace('duework')`,
  `SELECT 'trigger ' || t.oid || t::text FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE THEIRS`,
  `SELECT 'function ' || p.oid || p::text FROM pg_proc p WHERE p.pronamespace IS DISTINCT FROM to_regnamespace('duework')`,
  `SELECT 'type ' || t.oid || t::text FROM pg_type t WHERE t.typnamespace IS DISTINCT FROM to_regnamespace('duework')`,
  ...['extension', 'event_trigger', 'publication', 'default_acl', 'language', 'cast', 'db_role_setting'].map(
    (catalog) => `SELECT '${catalog} ' || x::text FROM pg_${catalog} x`,
  ),
].map((sql) =>
  sql.replaceAll(
    'THEIRS',
    `(c.relnamespace IS DISTINCT FROM to_regnamespace('duework') AND c.relnamespace::regnamespace::text !~ '^pg_toast|^pg_temp')`,
  ),
);

const read = async (client: pg.Client, statements: readonly string[]): Promise<string[]> => {
  const lines: string[] = [];
  for (const sql of statements)
    lines.push(...(await client.query({ text: sql, rowMode: 'array' })).rows.map(([line]) => String(line)).sort());
  return lines;
};

/** The schema duework of a database, a line for each thing. */
export const describeDuework = (url: string): Promise<readonly string[]> =>
  withServer(url, (client) => read(client, inside));

/** All of a database but its schema duework, a line for each thing, and one for what each table holds. */
export const describeOthers = (url: string): Promise<readonly string[]> =>
  withServer(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT oid::regclass::text AS name FROM pg_class
       WHERE relkind = 'r' AND relnamespace::regnamespace::text !~ '^(duework|pg_.*|information_schema)$' ORDER BY 1`,
    );
    const tables = rows.map(({ name }) => `SELECT '${name} ' || t.ctid || t::text FROM ${name} t`);
    return read(client, [...outside, ...tables]);
  });
