/**
 * The parts of a dump, read from the catalogs, because the embedded server has no pg_dump. Every query returns rows of
 * `name` (the sort key) and what belongs to it. The daily partitions are left out, because they depend on the day.
 */
const schemas = `('duework', 'shop')`;

const ours = (relation: string): string => `
  ${relation}.relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ${schemas})
  AND ${relation}.relname !~ '_[0-9]{8}(_|$)'`;

/** Sequences that were made explicitly; the one of an identity column is part of its column. */
export const sequences = `
  SELECT c.oid::regclass::text AS name, format(
      '%s MINVALUE %s MAXVALUE %s INCREMENT BY %s%s', format_type(s.seqtypid, NULL), s.seqmin, s.seqmax, s.seqincrement,
      CASE WHEN s.seqcycle THEN ' CYCLE' END) AS type,
    (SELECT format('%s.%I', d.refobjid::regclass, a.attname)
     FROM pg_depend d JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
     WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'a') AS owned_by
  FROM pg_class c JOIN pg_sequence s ON s.seqrelid = c.oid
  WHERE c.relkind = 'S' AND ${ours('c')}
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'i')
  ORDER BY 1`;

export const tables = `
  SELECT c.oid::regclass::text AS name, c.reloptions AS storage, c.relpersistence = 'u' AS is_unlogged,
    pg_get_partkeydef(c.oid) AS partition_key,
    (SELECT i.inhparent::regclass::text FROM pg_inherits i WHERE i.inhrelid = c.oid) AS parent,
    pg_get_expr(c.relpartbound, c.oid) AS bound
  FROM pg_class c
  WHERE c.relkind IN ('r', 'p') AND ${ours('c')}
  ORDER BY c.relispartition, (SELECT count(*) FROM pg_partition_ancestors(c.oid)), 1`;

export const columns = `
  SELECT c.oid::regclass::text AS table, quote_ident(a.attname) AS name, format_type(a.atttypid, a.atttypmod) AS type,
    a.attnotnull AS is_required, a.attidentity AS identity, pg_get_expr(d.adbin, d.adrelid) AS default
  FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND ${ours('c')}
  ORDER BY 1, a.attnum`;

/**
 * NOT NULL is a constraint of its own since PostgreSQL 18 (type n), and part of the column here; one that is a trigger (t) is
 * among those. How a constraint's
 * index is stored is in no definition.
 */
export const constraints = `
  SELECT c.oid::regclass::text AS table, quote_ident(k.conname) AS name,
    pg_get_constraintdef(k.oid) || coalesce(' WITH (' || array_to_string(i.reloptions, ', ') || ')', '') AS definition
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid LEFT JOIN pg_class i ON i.oid = k.conindid AND k.contype <> 'f'
  -- what a partition has from its table is not told again
  WHERE k.contype NOT IN ('n', 't') AND k.conparentid = 0 AND k.coninhcount = 0 AND ${ours('c')}
  ORDER BY 1, position(k.contype IN 'pucf'), 2`;

/** Indexes that no constraint has made. */
export const indexes = `
  SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
  FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
  WHERE ${ours('c')}
    AND NOT EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = i.indexrelid)
    AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid)
  ORDER BY c.oid::regclass::text, 1`;

export const functions = `
  SELECT p.oid::regprocedure::text AS name, pg_get_functiondef(p.oid) AS definition
  FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
  WHERE n.nspname IN ${schemas} AND p.prokind IN ('f', 'p')
  ORDER BY 1`;

export const views = `
  SELECT c.oid::regclass::text AS name, pg_get_viewdef(c.oid, true) AS definition
  FROM pg_class c WHERE c.relkind = 'v' AND ${ours('c')}
  ORDER BY 1`;

export const triggers = `
  SELECT t.tgname AS name, pg_get_triggerdef(t.oid, true) AS definition
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  WHERE NOT t.tgisinternal AND t.tgparentid = 0 AND ${ours('c')}
  ORDER BY 1`;

export const comments = `
  SELECT format('%s %s', CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'i' THEN 'INDEX' WHEN 'S' THEN 'SEQUENCE'
      ELSE CASE WHEN d.objsubid > 0 THEN 'COLUMN' ELSE 'TABLE' END END,
    c.oid::regclass::text || coalesce('.' || quote_ident(a.attname), '')) AS name, quote_literal(d.description) AS text
  FROM pg_description d
  JOIN pg_class c ON c.oid = d.objoid AND d.classoid = 'pg_class'::regclass
  LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.objsubid AND d.objsubid > 0
  WHERE ${ours('c')}
  UNION ALL
  SELECT format('FUNCTION %s', p.oid::regprocedure), quote_literal(d.description)
  FROM pg_description d JOIN pg_proc p ON p.oid = d.objoid AND d.classoid = 'pg_proc'::regclass
  JOIN pg_namespace n ON n.oid = p.pronamespace
  WHERE n.nspname IN ${schemas}
  ORDER BY 1`;
