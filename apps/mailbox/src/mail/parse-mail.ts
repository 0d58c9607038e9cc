import PostalMime, { addressParser, type Address, type Attachment, type Email } from 'postal-mime';
import type { AttachmentContent, ParsedMail } from './mail.js';
import { parseMailId } from './parse-mail-id.js';

/**
 * Decodes one mail. Throws for a file that is no mail: its name is no id, it has no header at all, or its MIME parts
 * are nested so deeply that decoding them would only cost memory.
 */
export async function parseMail(id: string, content: Uint8Array): Promise<ParsedMail> {
  const receivedAt = parseMailId(id);
  if (receivedAt === null) throw new Error('the name is not the id of a mail');
  const email = await PostalMime.parse(content);
  if (email.headers.length === 0) throw new Error('there are no headers');
  const attachments = email.attachments.map(readAttachment);
  return {
    entry: {
      id,
      receivedAt,
      from: flatten(email.from)[0] ?? email.returnPath ?? '',
      to: readRecipients(email),
      subject: email.subject ?? '',
      messageId: email.messageId?.trim() || null,
      size: content.byteLength,
      attachments: attachments.map(({ filename, contentType, size }) => ({ filename, contentType, size })),
    },
    headers: email.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    text: email.text ?? null,
    html: email.html ?? null,
    attachments,
  };
}

function flatten(address: Address | undefined): readonly string[] {
  if (address === undefined) return [];
  return address.group === undefined ? [address.address] : address.group.map((member) => member.address);
}

/** The envelope line is the first header, so a later line of that name in the mail changes nothing. */
function readRecipients(email: Email): readonly string[] {
  const envelope = email.headers.find(({ key }) => key === 'x-envelope-to');
  const addresses =
    envelope === undefined
      ? [...(email.to ?? []), ...(email.cc ?? []), ...(email.bcc ?? [])]
      : addressParser(envelope.value, { flatten: true });
  return [...new Set(addresses.flatMap(flatten).filter((address) => address !== ''))];
}

function readAttachment(attachment: Attachment, index: number): AttachmentContent {
  const { content } = attachment;
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);
  return {
    filename: attachment.filename || `attachment-${index + 1}`,
    contentType: attachment.mimeType,
    size: bytes.byteLength,
    contentId: attachment.contentId?.replace(/^<(.*)>$/, '$1') ?? null,
    content: bytes,
  };
}
