/** A library's own type, which nothing here reads. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Theirs = any;
