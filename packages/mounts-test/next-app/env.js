export const env = { databaseUrl: process.env.DATABASE_URL };
