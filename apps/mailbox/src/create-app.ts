import { Hono } from 'hono';
import type { Logger } from 'pino';
import type { Mailbox } from './create-mailbox.js';
import { LIST_PAGE_POLICY } from './pages/page-policies.js';
import { pageIcon } from './pages/page-icon.js';
import { pageScript } from './pages/page-script.js';
import { pageStyle } from './pages/page-style.js';
import type { Refusal } from './refusal/create-refusal.js';
import { acceptMails } from './routes/accept-mails.js';
import { answerFailure } from './routes/answer-failure.js';
import { answerNotFound } from './routes/answer-not-found.js';
import { checkCaller } from './routes/check-caller.js';
import { clearMails } from './routes/clear-mails.js';
import { downloadAttachment } from './routes/download-attachment.js';
import { downloadMail } from './routes/download-mail.js';
import { listMails } from './routes/list-mails.js';
import { readMail } from './routes/read-mail.js';
import { readRefusal } from './routes/read-refusal.js';
import { limitBody, refuseMails } from './routes/refuse-mails.js';
import { reportReadiness } from './routes/report-readiness.js';
import { showMail } from './routes/show-mail.js';
import { showMailList } from './routes/show-mail-list.js';

/** Makes the web side of a mailbox: the pages for people and the JSON for programs. */
export function createApp(mailbox: Mailbox, refusal: Refusal, log: Logger): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('Referrer-Policy', 'no-referrer');
    if (!c.res.headers.has('Content-Security-Policy')) c.header('Content-Security-Policy', LIST_PAGE_POLICY);
  });
  app.use(checkCaller);

  app.get('/', showMailList(mailbox, refusal));
  app.get('/mails/:id', showMail(mailbox));
  app.get('/mails/:id/raw', downloadMail(mailbox));
  app.get('/mails/:id/attachments/:index', downloadAttachment(mailbox));
  app.delete('/mails', clearMails(mailbox));
  app.get('/api/mails', listMails(mailbox, refusal));
  app.get('/api/mails/:id', readMail(mailbox));
  app.get('/api/refusal', readRefusal(refusal));
  app.put('/api/refusal', limitBody, refuseMails(refusal));
  app.delete('/api/refusal', acceptMails(refusal));

  app.get('/livez', (c) => c.json({ status: 'live' }));
  app.get('/readyz', reportReadiness(mailbox));
  app.get('/assets/mailbox.css', (c) => c.body(pageStyle, 200, { 'Content-Type': 'text/css; charset=utf-8' }));
  app.get('/assets/mailbox.js', (c) => c.body(pageScript, 200, { 'Content-Type': 'text/javascript; charset=utf-8' }));
  app.get('/assets/mailbox.svg', (c) => c.body(pageIcon, 200, { 'Content-Type': 'image/svg+xml' }));

  app.notFound(answerNotFound);
  app.onError((error, c) => answerFailure(c, error, log));
  return app;
}
