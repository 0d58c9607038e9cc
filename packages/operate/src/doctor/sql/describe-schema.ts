import { inTransaction, queryRows, sql } from '@duework/sql';
import type { Transactable } from '@duework/queue-core';

export const KINDS = ['table', 'column', 'constraint', 'index', 'sequence', 'function', 'view', 'trigger'] as const;
export type Kind = (typeof KINDS)[number];

/** One thing of the schema duework: its name without the schema, and all that matters about it as one text. */
export interface SchemaThing {
  readonly kind: Kind;
  readonly name: string;
  /** Its definition, and of functions and views a checksum of it: the same in all versions of PostgreSQL. */
  readonly definition: string;
}

const isOurs = sql`c.relnamespace = 'duework'::regnamespace AND c.relname !~ '_[0-9]{8}(_|$)'`;

/**
 * The schema duework, as the catalogs have it: what is compared with `expectedSchema`. Partitions of days differ from
 * day to day and are left out, and so are privileges.
 *
 * Names are shown as they are seen from outside the schema, so the search path is emptied, in a transaction.
 */
export function describeSchema(db: Transactable): Promise<SchemaThing[]> {
  return inTransaction(db, async (tx) => {
    await queryRows(tx, sql`SELECT set_config('search_path', '', true) AS path`);
    return queryRows<SchemaThing>(
      tx,
      sql`
      SELECT 'table' AS kind, c.relname::text AS name, concat_ws(' ',
        CASE c.relpersistence WHEN 'u' THEN 'UNLOGGED' END, 'TABLE', 'PARTITION BY ' || pg_get_partkeydef(c.oid),
        'PARTITION OF ' || (SELECT i.inhparent::regclass FROM pg_inherits i WHERE i.inhrelid = c.oid),
        pg_get_expr(c.relpartbound, c.oid), 'WITH (' || (SELECT string_agg(o, ', ' ORDER BY o) FROM unnest(c.reloptions) o) || ')'
      ) AS definition
      FROM pg_class c WHERE c.relkind IN ('r', 'p') AND ${isOurs}
      UNION ALL
      SELECT 'column', c.relname || '.' || a.attname, concat_ws(' ', format_type(a.atttypid, a.atttypmod),
        CASE WHEN a.attnotnull THEN 'NOT NULL' END,
        CASE WHEN a.attidentity <> '' THEN 'IDENTITY ' || a.attidentity::text END, 'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid))
      FROM pg_class c
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
      WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND ${isOurs}
      UNION ALL
      -- NOT NULL is a constraint of its own since PostgreSQL 18, and part of the column here
      SELECT 'constraint', c.relname || '.' || k.conname,
        pg_get_constraintdef(k.oid) || CASE WHEN k.convalidated OR k.contype = 'f' THEN '' ELSE ' NOT VALID' END
      FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
      -- a constraint trigger is a trigger below
      WHERE k.contype NOT IN ('n', 't') AND k.conparentid = 0 AND k.coninhcount = 0 AND ${isOurs}
      UNION ALL
      SELECT 'index', i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid)
      FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
      WHERE ${isOurs}
        AND NOT EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = i.indexrelid)
        AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid)
      UNION ALL
      SELECT 'sequence', c.relname::text, concat_ws(' ', format_type(s.seqtypid, NULL), s.seqmin, s.seqmax, s.seqincrement, s.seqcycle)
      FROM pg_class c JOIN pg_sequence s ON s.seqrelid = c.oid
      WHERE ${isOurs}
      UNION ALL
      SELECT 'function', p.oid::regprocedure::text, md5(concat_ws(' ', l.lanname, p.provolatile, p.proisstrict, p.prosecdef,
        pg_get_function_arguments(p.oid), pg_get_function_result(p.oid), (SELECT string_agg(o, ' ' ORDER BY o) FROM unnest(p.proconfig) o),
        p.prosrc))
      FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
      WHERE p.pronamespace = 'duework'::regnamespace AND p.prokind IN ('f', 'p')
      UNION ALL
      -- versions write parentheses, blanks and the tables of columns differently
      SELECT 'view', c.relname::text, md5(regexp_replace(pg_get_viewdef(c.oid), '[[:<:]][a-z_]+[.]|[[:space:]()]+', '', 'g'))
      FROM pg_class c WHERE c.relkind IN ('v', 'm') AND ${isOurs}
      UNION ALL
      -- and parentheses of conditions
      SELECT 'trigger', c.relname || '.' || t.tgname,
        regexp_replace(pg_get_triggerdef(t.oid), '[()]', '', 'g') || CASE t.tgenabled WHEN 'O' THEN '' ELSE ' ENABLED ' || t.tgenabled::text END
      FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      -- what a partition has from its table is not told again
      WHERE NOT t.tgisinternal AND t.tgparentid = 0 AND ${isOurs}
      ORDER BY 1, 2
    `,
    ).then((things) => things.map((thing) => ({ ...thing, name: thing.name.replace(/^duework\./, '') })));
  });
}
