const escape = (text: string): string => text.replaceAll(/\\|`|\$\{/g, (found) => `\\${found}`);

/** A file that Knex loads in a project of either kind of module. For Knex, a question mark is a value's place. */
export const printForKnex = (sql: string): string => `const sql = \`
${escape(sql)}\`;

exports.up = (knex) => knex.raw(sql.replaceAll('?', '\\\\?'));

exports.down = () => {
  throw new Error('Duework migrations cannot be rolled back, and need not be: older releases run on the newer tables.');
};
`;
