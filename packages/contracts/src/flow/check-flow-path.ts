import { allowedTypes, isObject, type JsonType, type SchemaNode } from '../compare/schema-node.js';
import { ContractError } from '../contract-error.js';
import type { JsonSchema } from '../describe-schema.js';
import { findAtPath } from '../sensitive/find-at-path.js';
import { isSensitivePath } from '../sensitive/is-sensitive-path.js';
import { readFlowPath } from './flow-path.js';

/** The contract that is being defined. */
export interface PathOwner {
  readonly type: string;
  readonly queue: string;
  readonly payloadJsonSchema: JsonSchema;
  readonly sensitiveEver: readonly string[];
}

const WANTED: Readonly<Record<'value' | 'number', { readonly types: readonly JsonType[]; readonly says: string }>> = {
  value: { types: ['string', 'number', 'boolean'], says: 'a text, a number or a boolean' },
  number: { types: ['number'], says: 'a number' },
};

/**
 * The names of a path of the payload that leads to a value, or to a number. Throws `ContractError`: `flow_path_unknown` for
 * one that its JSON Schema does not have, so that runs would all be told apart by nothing; `flow_path_sensitive` for a
 * sensitive one, because keys are kept and shown in plain text.
 */
export function checkFlowPath(
  owner: PathOwner,
  option: string,
  path: unknown,
  wanted: keyof typeof WANTED,
): readonly string[] {
  const { types, says } = WANTED[wanted];
  const refuse = (why: string): ContractError =>
    new ContractError(
      'flow_path_unknown',
      `Job ${owner.type}: ${option} ${JSON.stringify(path)} must lead to ${says} in its payload: ${why}.`,
    );
  const names = readFlowPath(path);
  if (names === null) throw refuse('a path is names with points between them, such as "customer.id"');
  const found = findAtPath(owner.payloadJsonSchema, names);
  if (found.nodes.length === 0)
    throw refuse(found.names.length === 0 ? 'there is nothing below it' : `there is ${found.names.join(', ')}`);
  const said = found.nodes.flatMap(typesOf);
  if (!types.some((type) => said.includes(type))) throw refuse(`there is ${[...new Set(said)].join(', ')}`);
  if (isSensitivePath(owner, names))
    throw new ContractError(
      'flow_path_sensitive',
      `Job ${owner.type}: ${option} ${JSON.stringify(path)} leads to a sensitive value, but keys are stored in plain text.`,
    );
  return names;
}

/** What a node says by itself; nothing where it only names others, which are looked at beside it. */
function typesOf(node: SchemaNode): readonly JsonType[] {
  if (!isObject(node)) return [...allowedTypes(undefined)];
  const isBranch = ['$ref', 'anyOf', 'oneOf', 'allOf'].some((keyword) => keyword in node);
  const values = Array.isArray(node['enum']) ? (node['enum'] as unknown[]) : 'const' in node ? [node['const']] : null;
  if (values !== null && node['type'] === undefined)
    return values.map((value) =>
      value === null ? 'null' : Array.isArray(value) ? 'array' : (typeof value as JsonType),
    );
  return isBranch && node['type'] === undefined ? [] : [...allowedTypes(node['type'])];
}
