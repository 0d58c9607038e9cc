/** A text without parameters as every client takes it: Prisma's words for it are `sql` and `statement`. */
export const rawStatement = (text: string) => ({
  strings: [text],
  values: [],
  text,
  sql: text,
  statement: text,
});
