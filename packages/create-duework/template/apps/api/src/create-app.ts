import { authorizeAny, authorizeByKey, authorizeLocal, createQueueHandler } from '@duework/http';
import type { PrismaClient } from '@scope/db';
import { catalog, welcomeUser } from '@scope/jobs';
import { enqueue } from 'duework';
import { Hono } from 'hono';
import { z } from 'zod';

const newUser = z.object({ email: z.email() });

export interface AppOptions {
  /** Lets in whoever calls from this machine without a key. Default: false, only API keys open the queue. */
  readonly isDevelopment?: boolean;
}

/** POST /users writes a user and the job that greets him, GET /users/:id shows him; /console is the page on the queue. */
export function createApp(prisma: PrismaClient, { isDevelopment = false }: AppOptions = {}): Hono {
  const app = new Hono();

  app.post('/users', async (context) => {
    const given = newUser.safeParse(await context.req.json().catch(() => null));
    if (!given.success) return context.json({ error: z.prettifyError(given.error) }, 400);
    try {
      const user = await prisma.$transaction(async (tx) => {
        const created = await tx.user.create({ data: given.data });
        // when this transaction is rolled back, there is no job either
        await enqueue(tx, welcomeUser, { userId: created.id });
        return created;
      });
      return context.json(user, 201);
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'P2002') throw error;
      return context.json({ error: 'This address is taken.' }, 409);
    }
  });

  app.get('/users/:id', async (context) => {
    const id = Number(context.req.param('id'));
    const user = Number.isInteger(id) ? await prisma.user.findUnique({ where: { id } }) : null;
    return user === null ? context.json({ error: 'There is no such user.' }, 404) : context.json(user);
  });

  const byKey = authorizeByKey(prisma);
  const queue = createQueueHandler({
    db: prisma,
    catalog,
    basePath: '/queue',
    authorize: isDevelopment ? authorizeAny(byKey, authorizeLocal()) : byKey,
  });
  app.all('/queue/*', (context) => queue(context.req.raw, context.env));
  app.get('/console', (context) => context.redirect('/queue/console'));

  return app;
}
