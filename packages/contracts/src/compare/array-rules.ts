import { every, no, unknown, YES } from './containment.js';
import { allOf, keywordsOf, numbersOf, type Rule } from './rule.js';
import { isNode, nodesOf, type SchemaNode } from './schema-node.js';
import type { Branch } from './split-schema.js';

const lengthOf = (node: object): number => nodesOf((node as { prefixItems?: unknown }).prefixItems).length;

/** What all nodes say of the item at `index`; Infinity: of those behind all that are told one by one. */
function itemAt({ nodes }: Branch, index: number): SchemaNode {
  return allOf(
    nodes.map((node) => {
      const item = nodesOf(node['prefixItems'])[index] ?? node['items'];
      return isNode(item) ? item : true;
    }),
  );
}

function mostItems(branch: Branch): number {
  const told = branch.nodes.filter((node) => node['items'] === false).map(lengthOf);
  return Math.min(Infinity, ...numbersOf(branch, 'maxItems'), ...told);
}

const prefixItems: Rule = (branch, given, _node, { contains }) => {
  if (branch.type !== 'array') return YES;
  const asked = nodesOf(given).slice(0, mostItems(branch));
  return every(asked.map((item, index) => contains(itemAt(branch, index), item, String(index))));
};

const items: Rule = (branch, given, node, { contains, pointer }) => {
  if (branch.type !== 'array') return YES;
  if (!isNode(given)) return unknown(pointer, 'items is a list, which 2020-12 has not');
  const [first, last] = [lengthOf(node), Math.max(0, ...branch.nodes.map(lengthOf))];
  const told = Array.from({ length: Math.max(0, Math.min(last, mostItems(branch)) - first) }, (_, i) =>
    contains(itemAt(branch, first + i), given, String(first + i)),
  );
  const others = mostItems(branch) <= Math.max(first, last) ? YES : contains(itemAt(branch, Infinity), given, '*');
  return every([...told, others]);
};

const minItems: Rule = (branch, given, _node, { pointer }) =>
  branch.type !== 'array' || Math.max(0, ...numbersOf(branch, 'minItems')) >= Number(given)
    ? YES
    : no(pointer, 'minItems is more');

const maxItems: Rule = (branch, given, _node, { pointer }) =>
  branch.type !== 'array' || mostItems(branch) <= Number(given) ? YES : no(pointer, 'maxItems is less');

const uniqueItems: Rule = (branch, given, _node, { pointer }) =>
  branch.type !== 'array' ||
  given !== true ||
  mostItems(branch) <= 1 ||
  keywordsOf(branch, 'uniqueItems').includes(true)
    ? YES
    : no(pointer, 'items must differ');

export const arrayRules: Readonly<Record<string, Rule>> = { prefixItems, items, minItems, maxItems, uniqueItems };
