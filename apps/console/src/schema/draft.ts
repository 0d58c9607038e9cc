/** What somebody has put into the inputs of a field: texts, as they were typed, in the shape of the field. */
export type Draft = string | { readonly [name: string]: Draft } | readonly Draft[];

export const textOf = (draft: Draft | undefined): string => (typeof draft === 'string' ? draft : '');
export const itemsOf = (draft: Draft | undefined): readonly Draft[] =>
  Array.isArray(draft) ? (draft as readonly Draft[]) : [];
export const membersOf = (draft: Draft | undefined): { readonly [name: string]: Draft } =>
  typeof draft === 'object' && !Array.isArray(draft) ? (draft as { readonly [name: string]: Draft }) : {};
