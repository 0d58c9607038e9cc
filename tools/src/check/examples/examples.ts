/** A project below examples/, and what differs in how it is proven. */
export interface Example {
  /** Its folder. */
  readonly name: string;
  readonly words: string;
  /** What stands before the paths of its endpoints. */
  readonly base: '' | '/api';
  /** Whether every change runs it. */
  readonly isQuick: boolean;
  /** Prisma's own command, which makes the tables of its migrations, downloads an engine: they are sent as they are. */
  readonly usesPrisma: boolean;
  /** Its first page has a form, whose server action places an order. */
  readonly hasForm: boolean;
  /** It is an application twice, before its move and after it, which compares itself. */
  readonly isMove: boolean;
}

const plain = { base: '', isQuick: false, usesPrisma: false, hasForm: false, isMove: false } as const;

export const examples: readonly Example[] = [
  { ...plain, name: 'express', words: 'Express and pg', isQuick: true },
  { ...plain, name: 'hono', words: 'Hono and Kysely', isQuick: true },
  { ...plain, name: 'fastify', words: 'Fastify and Drizzle' },
  { ...plain, name: 'nestjs', words: 'NestJS and TypeORM in CommonJS, with its Jest' },
  { ...plain, name: 'nextjs', words: 'Next.js and Prisma', base: '/api', usesPrisma: true, hasForm: true },
  { ...plain, name: 'from-bullmq', words: 'an application on BullMQ, and its port', isQuick: true, isMove: true },
  {
    ...plain,
    name: 'from-graphile-worker',
    words: 'an application on graphile-worker, and its port',
    isQuick: true,
    isMove: true,
  },
  { ...plain, name: 'from-pg-boss', words: 'an application on pg-boss, and its port', isQuick: true, isMove: true },
];
