import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { renderLives, type LivesPart } from '../life/render-lives.js';
import { nextLook } from '../life/tell-life.js';
import { ACTIONS, REFUSALS, type Action, type Place } from '../trouble/actions.js';
import { styleElement } from './shop-style.js';

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

export interface ShopPage {
  /** The orders that are paid later. */
  readonly life: LivesPart;
  readonly basePath: string;
  readonly mailboxUrl: string;
  /** null: it takes mails; undefined: it does not answer. */
  readonly refusedUntil: Date | null | undefined;
  readonly canKill: boolean;
  /** By themselves. */
  readonly doOrdersComeIn: boolean;
  /** The button that led here; null: none. Its texts come from the address, so they are looked up and not shown. */
  readonly pressed: {
    readonly name: string;
    readonly jobId: string | undefined;
    readonly refused: string | undefined;
  } | null;
}

/** Renders the shop's page. It needs no script: its buttons are forms, each of which leads back here. */
export function renderShop(page: ShopPage): Html {
  const { basePath, mailboxUrl, life } = page;
  const lookInSeconds = nextLook(life.lives, life.now);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${lookInSeconds === null ? '' : html`<meta http-equiv="refresh" content="${lookInSeconds}" />`}
        <title>The shop</title>
        <link rel="icon" href="data:," />
        ${styleElement}
      </head>
      <body>
        <header>
          <strong>The shop</strong>
          <nav>
            <a href="${basePath}/console/overview">Console</a>
            <a href="${mailboxUrl}">Mails</a>
            <a href="${basePath}/docs">API</a>
          </nav>
        </header>
        <main>
          <h1>Something to look at</h1>
          <p class="lead">
            This shop mails an invoice for each paid order. Make work for its worker here, or trouble, and look at the
            <a href="${basePath}/console/overview">console</a> meanwhile.
          </p>
          ${renderRefusing(page)} ${renderDone(page)} ${renderLives(basePath, life)}
          <ul>
            ${renderOrders(page)} ${Object.entries(ACTIONS).map(([name, action]) => renderAction(page, name, action))}
          </ul>
        </main>
      </body>
    </html>`;
}

function renderOrders({ basePath, doOrdersComeIn }: ShopPage): Html {
  return html`<li>
    <div>
      <h2>Orders come in by themselves</h2>
      <p>
        ${
          doOrdersComeIn
            ? 'About twenty a minute, sometimes more, sometimes fewer. The charts of the console show them.'
            : 'Nobody orders anything now but you.'
        }
      </p>
      <p class="look">Look at ${renderLink(basePath, { path: 'overview', name: 'Overview', words: '' }, '')}.</p>
    </div>
    <form method="post" action="${basePath}/shop/${doOrdersComeIn ? 'stop' : 'start'}-orders">
      <button>${doOrdersComeIn ? 'Stop the orders' : 'Let orders come in'}</button>
    </form>
  </li>`;
}

function renderAction({ basePath, canKill, refusedUntil }: ShopPage, name: string, action: Action): Html {
  const isOff = (name === 'death' && !canKill) || (['refusal', 'later'].includes(name) && refusedUntil === undefined);
  return html`<li>
    <div>
      <h2>${action.title}</h2>
      <p>${action.does}</p>
      <p class="look">
        Look at
        ${action.look
          .filter(({ path }) => !path.includes('{id}'))
          .map((place, index) => html`${index === 0 ? '' : ', '}${renderLink(basePath, place, '')}`)}${
          action.look.every(({ path }) => path.includes('{id}')) ? html`its job, once it is there` : ''
        }.
      </p>
      ${isOff ? html`<p class="look">${REFUSALS[name === 'death' ? 'worker' : 'mailbox']}</p>` : ''}
    </div>
    <form method="post" action="${basePath}/shop/${name}">
      <button${isOff ? html` disabled` : ''}>${action.button}</button>
    </form>
  </li>`;
}

/** What the button that was pressed has done, and where that is to be seen. */
function renderDone({ basePath, pressed }: ShopPage): Html | '' {
  if (pressed === null) return '';
  const action = ACTIONS[pressed.name];
  const why = REFUSALS[pressed.refused as keyof typeof REFUSALS] as string | undefined;
  if (why !== undefined) return html`<section role="status" class="refused"><p>${why}</p></section>`;
  if (action === undefined) return '';
  return html`<section role="status">
    <p><strong>${action.done}</strong></p>
    <dl>
      ${action.look.map(
        (place) =>
          html`<dt>${renderLink(basePath, place, pressed.jobId ?? '')}</dt>
            <dd>${place.words}</dd>`,
      )}
    </dl>
  </section>`;
}

function renderRefusing({ basePath, refusedUntil }: ShopPage): Html | '' {
  if (!refusedUntil) return '';
  return html`<section class="refused">
    <p>The mail server refuses every mail until ${refusedUntil.toLocaleTimeString('en-GB')}.</p>
    <form method="post" action="${basePath}/shop/accept-mails"><button>Let it take mails again</button></form>
  </section>`;
}

function renderLink(basePath: string, { path, name }: Place, jobId: string): Html {
  const isJob = /^[1-9]\d{0,18}$/.test(jobId);
  const place = isJob ? path.replace('{id}', jobId) : path.replace('/{id}', '');
  return html`<a href="${basePath}/console/${place}" target="duework-console">${name}</a>`;
}
