import type { Handler } from 'hono';
import type { Mailbox } from '../create-mailbox.js';
import type { AttachmentContent } from '../mail/mail.js';
import { answerNotFound } from './answer-not-found.js';

/** The types that a browser shows without running anything of the sender's; any other is downloaded. */
const shownTypes = new Set(['application/pdf', 'image/png', 'image/jpeg', 'image/gif', 'image/webp', 'text/plain']);

/**
 * `GET /mails/:id/attachments/:index`: one attachment, decoded. HTML and SVG would run in the origin of the mailbox,
 * so they are never shown, only downloaded.
 */
export function downloadAttachment(mailbox: Mailbox): Handler {
  return async (c) => {
    const index = c.req.param('index') ?? '';
    const mail = /^\d{1,4}$/.test(index) ? await mailbox.read(c.req.param('id') ?? '') : null;
    const attachment = mail?.attachments[Number(index)];
    if (attachment === undefined) return answerNotFound(c);
    return c.body(attachment.content, 200, {
      'Content-Type': readContentType(attachment),
      'Content-Disposition': writeDisposition(attachment),
      // The mail's page shows a PDF in a frame; no other page may.
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'self'",
    });
  };
}

/** A type comes from the sender: only what looks like one becomes a header. */
function readContentType({ contentType }: AttachmentContent): string {
  if (contentType === 'text/plain') return 'text/plain; charset=utf-8';
  return /^[\w.+-]+\/[\w.+-]+$/.test(contentType) ? contentType : 'application/octet-stream';
}

function writeDisposition({ contentType, filename }: AttachmentContent): string {
  const kind = shownTypes.has(contentType) ? 'inline' : 'attachment';
  const ascii = filename.replace(/[^\w. -]/g, '_');
  // Through bytes first: half of a surrogate pair would make encodeURIComponent throw.
  const encoded = encodeURIComponent(Buffer.from(filename).toString()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
