import type { ParsedMail } from '../mail/mail.js';

/**
 * The mail's own rules, on top of the sandbox: no script, no frame, and nothing fetched from elsewhere, because a
 * picture that is fetched tells its sender that the mail was opened.
 */
const head = `<!doctype html>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer"><base target="_blank">
<style>:root{color-scheme:light;background:#fff}body{font:16px/1.5 system-ui,sans-serif;margin:1rem}img{max-width:100%}</style>
`;

/**
 * Writes the document of the frame that shows a mail's HTML. It goes into an escaped `srcdoc` attribute. Pictures that
 * the mail brings along (`cid:`) are put in place, because the frame may not fetch them.
 */
export function writeFrameDocument({ html, attachments }: Pick<ParsedMail, 'html' | 'attachments'>): string {
  const pictures = new Map(
    attachments
      .filter(({ contentId, contentType }) => contentId !== null && /^image\/[\w.+-]+$/.test(contentType))
      .map(({ contentId, contentType, content }) => [
        contentId,
        `data:${contentType};base64,${Buffer.from(content).toString('base64')}`,
      ]),
  );
  const body = (html ?? '').replace(
    /\bcid:([^"'\s)>]+)/gi,
    (link, contentId: string) => pictures.get(contentId) ?? link,
  );
  return head + body;
}
