import type { PrismaConfig } from 'prisma/config';

/** Prisma keeps its migration table in the schema "duework", so that it never meets the one of the team's own project. */
function dueworkUrl(url: string | undefined): string {
  if (!url) return '';
  const target = new URL(url);
  target.searchParams.set('schema', 'duework');
  return target.toString();
}

// a type only: a start generates the client where `prisma` is no dependency of this folder
export default {
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: dueworkUrl(process.env['DATABASE_URL']) },
} satisfies PrismaConfig;
