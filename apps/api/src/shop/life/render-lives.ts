import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { isOpen, type OrderLife } from './find-lives.js';
import { tellLife } from './tell-life.js';

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

export interface LivesPart {
  readonly lives: readonly OrderLife[];
  /** Pieces in stock. */
  readonly left: number;
  /** On the database's clock. */
  readonly now: Date;
}

/** The part of the shop's page in which orders live: what begins one, and how the last ones stand. */
export function renderLives(basePath: string, { lives, left, now }: LivesPart): Html {
  return html`<ul class="lives">
    <li>
      <div>
        <h2>An order’s life</h2>
        <p>
          Order an espresso machine, and pay later. One job, handle_order, sees it through: it reserves the machine,
          waits 30 minutes for your payment, mails invoice and receipt, and asks for a review after 7 days. While it
          waits, no worker has it.
        </p>
        <p class="look">In stock: ${left}. The short life waits for a minute, and asks after 20 seconds.</p>
      </div>
      <form method="post" action="${basePath}/shop/order-later">
        <button>Order with payment later</button>
        <button formaction="${basePath}/shop/order-later-short">The same, a short life</button>
        <button formaction="${basePath}/shop/order-on-account">Order on account</button>
      </form>
    </li>
    ${lives.map((life) => renderLife(basePath, life, now))}
  </ul>`;
}

function renderLife(basePath: string, life: OrderLife, now: Date): Html {
  const { orderId, jobId, creditJobId } = life;
  return html`<li>
    <div>
      <h3>Order ${orderId}</h3>
      <p>${tellLife(life, now)}</p>
      <p class="look">
        <a href="${basePath}/console/jobs/${jobId}" target="duework-console">Its job in the console</a>
        ${
          creditJobId === null
            ? ''
            : html`<a href="${basePath}/console/jobs/${creditJobId}" target="duework-console"
                >The question to the desk</a
              >`
        }
      </p>
    </div>
    ${
      isOpen(life)
        ? html`<form method="post" action="${basePath}/shop/orders/${orderId}/pay">
            <button aria-label="Pay order ${orderId}">Pay</button>
            <button formaction="${basePath}/shop/orders/${orderId}/cancel" aria-label="Cancel order ${orderId}">
              Cancel the order
            </button>
          </form>`
        : ''
    }
  </li>`;
}
