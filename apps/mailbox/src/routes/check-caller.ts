import type { MiddlewareHandler } from 'hono';
import { answerProblem } from './answer-problem.js';

/** The names under which this machine is called; any other in Host is a page that was given this address (DNS rebinding). */
const LOCAL_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/**
 * Answers this machine's own pages and programs alone: nobody signs in here, and a page of another site that a browser on
 * this machine shows could read the mails, or throw them away.
 */
export const checkCaller: MiddlewareHandler = async (c, next) => {
  const host = c.req.header('host') ?? '';
  const origin = c.req.header('origin');
  const site = c.req.header('sec-fetch-site');
  const isForeign = origin === undefined ? site === 'cross-site' || site === 'same-site' : origin !== `http://${host}`;
  // a link from elsewhere may lead here
  const isVisit = c.req.method === 'GET' && c.req.header('sec-fetch-mode') === 'navigate';
  if (LOCAL_HOST.test(host) && (!isForeign || isVisit)) return next();
  return answerProblem(c, {
    status: 403,
    code: 'foreign_page',
    title: 'Foreign page',
    detail: 'The mailbox answers only its own page, and programs of this machine that call it localhost or 127.0.0.1.',
  });
};
