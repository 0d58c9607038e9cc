/**
 * Is each value that one JSON Schema takes also taken by another? Rules for what validators write (draft 2020-12), and no
 * validation: what a rule calls contained, it has proven. A keyword that no rule knows makes the answer `unknown`, unless
 * both schemas are equal; it is never passed over in the schema that asks.
 *
 * A schema is split into branches, one for each type and enumerated value, in which nothing refers or branches any more;
 * each branch has to fit each keyword of the other schema. Where schemas refer to themselves, a pair that is met again
 * deeper in the value holds if all else does.
 */
import type { JsonSchema } from '../describe-schema.js';
import { arrayRules } from './array-rules.js';
import { areDisjoint } from './are-disjoint.js';
import { canonicalJson } from './canonical-json.js';
import { type Containment, every, no, unknown, YES } from './containment.js';
import { numberRules } from './number-rules.js';
import { objectRules } from './object-rules.js';
import type { Rule } from './rule.js';
import { allowedTypes, isAnnotation, isNode, isObject, nodesOf, resolveRef, type SchemaNode } from './schema-node.js';
import { type Branch, splitSchema } from './split-schema.js';
import { stringRules } from './string-rules.js';
import { isWhole } from './number-rules.js';

/** More comparisons than any contract needs. */
const MAX_STEPS = 20_000;
const MAX_HOPS = 60;

/** Whether each value of `one` is a value of `other`. */
export function compareSchemas(one: JsonSchema, other: JsonSchema): Containment {
  if (hasInnerId(one, true) || hasInnerId(other, true)) return unknown('', 'a schema inside has an $id of its own');
  return new Comparison(one, other).contains(one, other, '', 0);
}

class Comparison {
  #steps = 0;
  /** Pairs that are being compared, and how deep in the value that began. */
  readonly #begun = new Map<string, number>();
  readonly #haveSameRoot: boolean;

  constructor(
    readonly one: SchemaNode,
    readonly other: SchemaNode,
  ) {
    this.#haveSameRoot = canonicalJson(one) === canonicalJson(other);
  }

  contains(one: SchemaNode, other: SchemaNode, pointer: string, depth: number): Containment {
    if (other === true || one === false) return YES;
    if (++this.#steps > MAX_STEPS) return unknown(pointer, 'the schemas are too large to compare');
    const [oneText, otherText] = [canonicalJson(one), canonicalJson(other)];
    if (oneText === otherText && (this.#haveSameRoot || !oneText.includes('"$ref"'))) return YES;
    const pair = `${oneText}\n${otherText}`;
    const begun = this.#begun.get(pair);
    if (begun !== undefined) return begun < depth ? YES : unknown(pointer, 'a schema is defined by itself');
    this.#begun.set(pair, depth);
    try {
      const branches = splitSchema(one, this.one);
      if (branches === null) return unknown(pointer, 'the schema has too many alternatives');
      return every(branches.map((branch) => this.#fits(branch, other, pointer, depth, 0)));
    } finally {
      this.#begun.delete(pair);
    }
  }

  #fits(branch: Branch, other: SchemaNode, pointer: string, depth: number, hops: number): Containment {
    if (typeof other === 'boolean') return other ? YES : no(pointer, 'it is no longer taken');
    if (hops > MAX_HOPS) return unknown(pointer, 'a schema is defined by itself');
    const parts = {
      pointer,
      contains: (a: SchemaNode, b: SchemaNode, name: string) =>
        this.contains(a, b, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1),
    };
    const hop = (node: SchemaNode): Containment => this.#fits(branch, node, pointer, depth, hops + 1);
    const checks = Object.entries(other).map(([keyword, given]): Containment => {
      if (isAnnotation(keyword)) return YES;
      const rule = RULES.get(keyword);
      if (rule !== undefined) return rule(branch, given, other, parts);
      if (keyword === '$ref') {
        const referred = resolveRef(given, this.other);
        return referred === undefined ? unknown(pointer, 'a $ref leads out of the schema') : hop(referred);
      }
      if (keyword === 'allOf') return every(nodesOf(given).map(hop));
      if (keyword === 'anyOf') return this.#fitsOne(nodesOf(given).map(hop), pointer);
      if (keyword === 'oneOf') return this.#fitsOnlyOne(branch, nodesOf(given), hop, pointer);
      if (keyword === 'not' && isNode(given)) return this.#avoids(branch, given, pointer);
      return unknown(pointer, `the keyword ${keyword} is not compared`);
    });
    return every(checks);
  }

  #fitsOne(checks: readonly Containment[], pointer: string): Containment {
    if (checks.some(({ answer }) => answer === 'yes')) return YES;
    const doubt = checks.find(({ answer }) => answer === 'unknown');
    const [only] = checks;
    return doubt ?? (checks.length === 1 ? only! : no(pointer, 'no alternative takes it'));
  }

  #fitsOnlyOne(
    branch: Branch,
    alternatives: readonly SchemaNode[],
    hop: (node: SchemaNode) => Containment,
    pointer: string,
  ): Containment {
    const checks = alternatives.map(hop);
    const fitting = checks.findIndex(({ answer }) => answer === 'yes');
    if (fitting === -1) return this.#fitsOne(checks, pointer);
    const others = alternatives.filter((_, index) => index !== fitting);
    return others.every((node) => areDisjoint(branch, this.one, node, this.other))
      ? YES
      : unknown(pointer, 'two alternatives of a oneOf may both take it');
  }

  #avoids(branch: Branch, refused: SchemaNode, pointer: string): Containment {
    if (areDisjoint(branch, this.one, refused, this.other)) return YES;
    const isAll = refused === true || (isObject(refused) && Object.keys(refused).length === 0);
    return isAll ? no(pointer, 'it is no longer taken') : unknown(pointer, 'the keyword not is not compared');
  }
}

const type: Rule = (branch, given, _node, { pointer }) => {
  if (!allowedTypes(given).has(branch.type)) return no(pointer, `the type ${branch.type} is no longer taken`);
  const names: readonly unknown[] = Array.isArray(given) ? given : [given];
  const isNarrower = branch.type === 'number' && !names.includes('number') && !isWhole(branch);
  return isNarrower ? no(pointer, 'numbers must be integers') : YES;
};

/** Only what is enumerated itself can be known to be one of a list. */
const oneOfValues =
  (values: (given: unknown) => readonly unknown[]): Rule =>
  (branch, given, _node, { pointer }) => {
    const isListed =
      branch.hasValue && values(given).some((value) => canonicalJson(value) === canonicalJson(branch.value));
    return isListed ? YES : no(pointer, 'a value is not one of those that are listed');
  };

const RULES: ReadonlyMap<string, Rule> = new Map(
  Object.entries({
    type,
    enum: oneOfValues((given) => given as readonly unknown[]),
    const: oneOfValues((given) => [given]),
    ...numberRules,
    ...stringRules,
    ...arrayRules,
    ...objectRules,
  }),
);

/** A schema inside that is a document of its own: references below it begin there. */
function hasInnerId(value: unknown, isRoot: boolean): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (!isRoot && !Array.isArray(value) && typeof (value as { $id?: unknown }).$id === 'string') return true;
  return Object.values(value).some((item) => hasInnerId(item, false));
}
