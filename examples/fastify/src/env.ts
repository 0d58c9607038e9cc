/** What the programs are told by the environment. `duework` reads DATABASE_URL too. */
export const env = {
  databaseUrl: process.env['DATABASE_URL'],
  port: Number(process.env['PORT'] ?? 3000),
};
