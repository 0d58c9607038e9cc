import { type AuditEntry, nameAuditedFacts } from '@duework/operate';
import { nameId } from './shard-ids.js';

/** Puts the name of a shard before the ids of a body, which it changes. Returns the body. */
export type NameIds = (shard: string, body: unknown) => unknown;

/** A schema of the document, as far as it is read here. */
export interface DocumentSchema {
  readonly $ref?: string;
  readonly allOf?: readonly DocumentSchema[];
  readonly anyOf?: readonly DocumentSchema[];
  readonly oneOf?: readonly DocumentSchema[];
  readonly properties?: Readonly<Record<string, DocumentSchema>>;
  readonly items?: DocumentSchema;
  readonly 'x-duework-id'?: string;
  readonly 'x-duework-id-where'?: { readonly field: string; readonly values: readonly string[] };
  readonly 'x-duework-filter'?: boolean;
  readonly 'x-duework-facts'?: boolean;
  readonly 'x-duework-audited'?: boolean;
}

type Fields = Record<string, unknown>;
type Change = (shard: string, value: unknown, parent: Fields) => unknown;

/**
 * Makes what names the ids of an answer by the marks of its schema, and looks at nothing else: not into payloads, results or
 * progress, whatever they look like. null: it has none. `resolve` finds a schema by its reference; `nameFilter` names the
 * ids in a filter.
 */
export function compileIds(
  schema: DocumentSchema,
  resolve: (ref: string) => DocumentSchema,
  nameFilter: (shard: string, filter: string) => string,
): NameIds | null {
  const known = new Map<string, Change | null>();

  function compile(one: DocumentSchema): Change | null {
    const changes: Change[] = [];
    if (one.$ref !== undefined) {
      const { $ref } = one;
      if (!known.has($ref)) {
        // one that contains itself has ids only where its other fields have some: none does
        known.set($ref, null);
        known.set($ref, compile(resolve($ref)));
      }
      const change = known.get($ref) ?? null;
      if (change !== null) changes.push(change);
    }
    for (const part of [...(one.allOf ?? []), ...(one.anyOf ?? []), ...(one.oneOf ?? [])]) {
      const change = compile(part);
      if (change !== null) changes.push(change);
    }
    if (one['x-duework-id'] !== undefined) changes.push((shard, value) => nameText(shard, value));
    if (one['x-duework-filter'] === true)
      changes.push((shard, value) => (typeof value === 'string' ? nameFilter(shard, value) : value));
    if (one['x-duework-facts'] === true) changes.push(nameFacts);
    if (one['x-duework-audited'] === true) changes.push(nameAudited);
    const where = one['x-duework-id-where'];
    if (where !== undefined)
      changes.push((shard, value, parent) => {
        if (!where.values.includes(parent[where.field] as string)) return value;
        return mention(shard, value, parent);
      });
    const inItems = one.items === undefined ? null : compile(one.items);
    if (inItems !== null)
      changes.push((shard, value) =>
        Array.isArray(value) ? value.map((item: unknown) => inItems(shard, item, {})) : value,
      );
    const inFields = Object.entries(one.properties ?? {}).flatMap(([name, field]) => {
      const change = compile(field);
      return change === null ? [] : [[name, change] as const];
    });
    if (inFields.length > 0)
      changes.push((shard, value) => {
        if (typeof value !== 'object' || value === null) return value;
        const fields = value as Fields;
        for (const [name, change] of inFields)
          if (Object.hasOwn(fields, name)) fields[name] = change(shard, fields[name], fields);
        return value;
      });
    if (changes.length === 0) return null;
    return (shard, value, parent) => changes.reduce((now, change) => change(shard, now, parent), value);
  }

  const change = compile(schema);
  return change === null ? null : (shard, body) => change(shard, body, {});
}

const nameText = (shard: string, value: unknown): unknown => (typeof value === 'string' ? nameId(shard, value) : value);

/** Names an id, and where the sentence beside it mentions it. */
function mention(shard: string, value: unknown, parent: Fields): unknown {
  if (typeof value !== 'string') return value;
  const named = nameId(shard, value);
  const { sentence } = parent;
  if (typeof sentence === 'string' && named !== value) parent['sentence'] = replaceId(sentence, value, named);
  return named;
}

/** An id in a sentence for people becomes another. */
export function replaceId(sentence: string, id: string, by: string): string {
  return sentence.replaceAll(new RegExp(`(?<![\\w.])${id.replaceAll(/\W/g, '\\$&')}(?!\\w)`, 'g'), () => by);
}

/** The facts of an explanation: who holds a gate, who is before it there, who tries it, and which jobs it waits for. */
function nameFacts(shard: string, facts: unknown, parent: Fields): unknown {
  const { holder, head, trying, waits } = (facts ?? {}) as Record<string, unknown>;
  for (const one of [holder, head, trying])
    if (typeof one === 'object' && one !== null) (one as Fields)['id'] = mention(shard, (one as Fields)['id'], parent);
  for (const wait of Array.isArray(waits) ? (waits as Fields[]) : [])
    if (wait['kind'] === 'job') wait['of'] = mention(shard, wait['of'], parent);
  return facts;
}

const nameAudited = (shard: string, facts: unknown, parent: Fields): unknown =>
  nameAuditedFacts(String(parent['kind']), (facts ?? null) as AuditEntry['before'], (id) => nameId(shard, id));
