/** What users bring themselves, or Node does. Everything else that is imported becomes part of the package. */
export const OUTSIDE = /^(node:.*|pg|zod|pino|prom-client|@prisma\/client.*|@standard-schema\/spec)$/;
