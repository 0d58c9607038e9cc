/** What users bring themselves, or Node does. */
const BROUGHT = [
  'node:.*',
  'pg',
  'zod',
  'nodemailer',
  'pino',
  'prom-client',
  '@prisma/client.*',
  '@standard-schema/spec',
  '@opentelemetry/api',
  '@duework/bullmq.*',
  'bullmq',
  'ioredis',
];

/**
 * What stays an import in the code of a package: what is brought, and what it depends on. Everything else becomes part of it.
 *
 * @param {{ dependencies?: Record<string, string> }} manifest of the package
 * @returns {RegExp}
 */
export const outsideOf = ({ dependencies = {} }) =>
  new RegExp(`^(${[...BROUGHT, ...Object.keys(dependencies)].join('|')})$`);
