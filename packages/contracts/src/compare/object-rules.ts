import { canonicalJson } from './canonical-json.js';
import { type Containment, every, no, unknown, YES } from './containment.js';
import { closedKeys, declaredKeys, propertyOf, requiredKeys, undeclared } from './object-keys.js';
import { allOf, keywordsOf, matches, numbersOf, type Parts, type Rule } from './rule.js';
import { isNode, isObject, nodeMap, type SchemaNode } from './schema-node.js';
import type { Branch } from './split-schema.js';

const onObjects =
  (rule: Rule): Rule =>
  (branch, given, node, parts) =>
    branch.type === 'object' ? rule(branch, given, node, parts) : YES;

const required = onObjects((branch, given, _node, { pointer }) => {
  const own = requiredKeys(branch);
  const missing = (given as readonly string[]).find((key) => !own.has(key));
  return missing === undefined ? YES : no(`${pointer}/${escape(missing)}`, 'it is required');
});

const properties = onObjects((branch, given, _node, { contains }) =>
  every([...nodeMap(given)].map(([key, schema]) => contains(propertyOf(branch, key), schema, key))),
);

const patternProperties = onObjects((branch, given, _node, parts) =>
  every(
    [...nodeMap(given)].map(([pattern, schema]) =>
      every([
        ...[...declaredKeys(branch)].map((key): Containment => {
          const isMatch = matches(pattern, key);
          if (isMatch === null) return unknown(parts.pointer, 'a pattern of keys cannot be read');
          return isMatch ? parts.contains(propertyOf(branch, key), schema, key) : YES;
        }),
        // each key that matches has what the same pattern promises, whatever else may be told of it
        othersFit(branch, parts, (told, all) => told === pattern || !all.includes(pattern), schema),
      ]),
    ),
  ),
);

const additionalProperties = onObjects((branch, given, node, parts) => {
  if (!isNode(given)) return YES;
  const known = nodeMap(node['properties']);
  const patterns = [...nodeMap(node['patternProperties']).keys()];
  const declared = [...declaredKeys(branch)].filter((key) => !known.has(key));
  return every([
    ...declared.map((key) =>
      // one that a pattern may be for is told by it
      patterns.some((pattern) => matches(pattern, key) === true)
        ? YES
        : parts.contains(propertyOf(branch, key), given, key),
    ),
    othersFit(branch, parts, (told) => told === null || !patterns.includes(told), given),
  ]);
});

/** Whether keys that the branch does not declare fit, as one of its nodes promises; `counts`: those of these patterns. */
function othersFit(
  branch: Branch,
  { contains }: Parts,
  counts: (pattern: string | null, all: readonly (string | null)[]) => boolean,
  schema: SchemaNode,
): Containment {
  const checks = undeclared(branch).map((told) => {
    const all = told.map(({ pattern }) => pattern);
    return every(
      told.filter(({ pattern }) => counts(pattern, all)).map((other) => contains(other.schema, schema, '*')),
    );
  });
  return checks.find(({ answer }) => answer === 'yes') ?? checks[0]!;
}

const propertyNames = onObjects((branch, given, _node, { contains }) => {
  if (!isNode(given)) return YES;
  const closed = closedKeys(branch);
  const names = keywordsOf(branch, 'propertyNames').filter(isNode);
  return contains(closed === null ? allOf([{ type: 'string' }, ...names]) : { enum: closed }, given, '*');
});

const minProperties = onObjects((branch, given, _node, { pointer }) =>
  Math.max(requiredKeys(branch).size, ...numbersOf(branch, 'minProperties')) >= Number(given)
    ? YES
    : no(pointer, 'minProperties is more'),
);

const maxProperties = onObjects((branch, given, _node, { pointer }) =>
  Math.min(closedKeys(branch)?.length ?? Infinity, ...numbersOf(branch, 'maxProperties')) <= Number(given)
    ? YES
    : no(pointer, 'maxProperties is less'),
);

const dependentRequired = onObjects((branch, given, _node, { pointer }) => {
  if (keywordsOf(branch, 'dependentRequired').some((own) => canonicalJson(own) === canonicalJson(given))) return YES;
  const own = requiredKeys(branch);
  const isKept = ([key, needed]: [string, unknown]): boolean =>
    propertyOf(branch, key) === false || (needed as readonly string[]).every((other) => own.has(other));
  return Object.entries(isObject(given) ? given : {}).every(isKept) ? YES : no(pointer, 'a key needs others beside it');
});

function escape(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

export const objectRules: Readonly<Record<string, Rule>> = {
  required,
  properties,
  patternProperties,
  additionalProperties,
  propertyNames,
  minProperties,
  maxProperties,
  dependentRequired,
};
