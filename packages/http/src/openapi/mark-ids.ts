/** What has an id that only its own database knows. */
export type IdKind = 'job' | 'batch' | 'bulk_action' | 'audit_entry';

/**
 * What the document says of a field of an answer that is such an id. Where an API is over several databases the marks
 * are all that tells it which texts get the name of theirs, so that each id is marked: a test goes over the document.
 */
export const idOf = (kind: IdKind) => ({ 'x-duework-id': kind });

/** The same of a field that is an id only where another field of its object, `field`, has one of `values`. */
export const idWhere = (field: string, values: readonly string[]) => ({
  'x-duework-id-where': { field, values: [...values] },
});

/** Of a text that is a filter: the ids in it are marked by their fields. */
export const filterWithIds = { 'x-duework-filter': true };

/** Of the facts of an entry of the audit, by the `kind` beside them. */
export const auditedWithIds = { 'x-duework-audited': true };

/** Of the facts of an explanation, which differ from code to code. */
export const factsWithIds = { 'x-duework-facts': true };
