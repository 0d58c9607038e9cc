export type AuditedFacts = { readonly [name: string]: unknown } | null;

/** One thing that is another one afterwards; null: it was not there, or is no more. */
export interface Change {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** What differs between before and after, name by name. What only `before` names, `after` says nothing about. */
export function listChanges(before: AuditedFacts, after: AuditedFacts): Change[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].flatMap((name) => {
    if (after !== null && !Object.hasOwn(after, name)) return [];
    const [was, is] = [print(before?.[name]), print(after?.[name])];
    return was === is ? [] : [{ name, before: was, after: is }];
  });
}

function print(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
